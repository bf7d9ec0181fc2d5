using Google.Protobuf.WellKnownTypes;
using Proto;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>The actor. Its messages are protobuf's own text, which every .proto has: empty is none.</summary>
internal sealed class GreeterActor : IActor
{
    public GreeterActor() => Greeter.Activate();

    public Task ReceiveAsync(IContext context)
    {
        if (context.Message is StringValue name)
        {
            context.Respond(new StringValue { Value = Greeter.Answer(name.Value.Length == 0 ? null : name.Value) });
        }

        return Task.CompletedTask;
    }
}
