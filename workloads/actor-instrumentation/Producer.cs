using System.Diagnostics;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>Sends from outside, as the originals do: an object, a number (boxed each time) and a text in turn.</summary>
internal sealed class Producer(Subject subject)
{
    /// <summary>Messages of a piece; at most two pieces are in the mailbox.</summary>
    public const int Piece = 3000;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private readonly Person _person = new("John", 25);
    private long _sent;

    /// <summary>Sends a piece, then waits until at most this piece is left in the mailbox: the two sides work at once, and neither runs away.</summary>
    /// <returns>Messages sent.</returns>
    public long SendPiece()
    {
        Send(Piece);
        AwaitHandled(_sent - Piece);
        return Piece;
    }

    /// <summary>Sends without waiting; <paramref name="messages"/> is a multiple of three.</summary>
    public void Send(int messages)
    {
        for (var left = messages; left > 0; left -= 3)
        {
            subject.Tell(_person);
            subject.Tell(343);
            subject.Tell("just_string");
        }

        _sent += messages;
    }

    /// <summary>Waits until all that was sent is handled.</summary>
    /// <exception cref="WrongAnswerException">Messages were lost, doubled or exchanged.</exception>
    public void Settle()
    {
        AwaitHandled(_sent);
        if (subject.Tally.Handled != _sent || subject.Tally.Wrong != 0)
        {
            throw new WrongAnswerException($"{_sent} messages were sent, {subject.Tally.Handled} handled, {subject.Tally.Wrong} of them not of a type that was sent.");
        }
    }

    // Yields and never sleeps: a piece lasts less than the shortest sleep. The clock is read when nothing else is left to do.
    private void AwaitHandled(long target)
    {
        var (spinner, seen, since) = (default(SpinWait), -1L, Stopwatch.GetTimestamp());
        while (subject.Tally.Handled is var handled && handled < target)
        {
            if (handled != seen)
            {
                (seen, since) = (handled, Stopwatch.GetTimestamp());
            }
            else if ((Stopwatch.GetTimestamp() - since) / (double)Stopwatch.Frequency > Patience.TotalSeconds)
            {
                throw new WrongAnswerException($"{target} messages should be handled, {handled} are, and nothing happened for {Patience.TotalSeconds:0} s.");
            }

            spinner.SpinOnce(sleep1Threshold: -1);
        }
    }
}
