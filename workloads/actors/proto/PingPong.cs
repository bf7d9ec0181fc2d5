using Proto;

namespace PerfLab.Workloads.Actors;

/// <summary>Sends everything back to where it came from.</summary>
internal sealed class Destination : IActor
{
    public Task ReceiveAsync(IContext context)
    {
        switch (context.Message)
        {
            case Msg message:
                context.Send(message.Sender, message);
                break;
            case Started started:
                context.Respond(started);
                break;
        }

        return Task.CompletedTask;
    }
}

/// <summary>Keeps a fixed number of messages in flight to its destination: one new send for each reply.</summary>
internal sealed class Client(PID destination, Exchange exchange) : IActor
{
    private Msg? _message;

    public Task ReceiveAsync(IContext context)
    {
        switch (context.Message)
        {
            case Msg reply:
                if (exchange.Reply(ReferenceEquals(reply, _message)))
                {
                    context.Send(destination, _message!);
                }

                break;
            case Run:
                _message = new Msg(context.Self);
                for (var left = exchange.Prime(); left > 0; left--)
                {
                    context.Send(destination, _message);
                }

                break;
            case Started started:
                context.Respond(started);
                break;
        }

        return Task.CompletedTask;
    }
}
