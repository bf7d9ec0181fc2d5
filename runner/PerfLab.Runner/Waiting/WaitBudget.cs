using PerfLab.Core.Model;
using PerfLab.Programs;

namespace PerfLab.Runner.Waiting;

/// <summary>
/// How long somebody is ready to wait for this machine, all reasons together. Says what it waits for, and again when that has changed.
/// </summary>
internal sealed class WaitBudget(Terminal terminal, TimeSpan most)
{
    /// <summary>Looking costs a second of the machine: often enough for a person, rarely enough for whoever measures.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(10);

    /// <summary>A load is another at each look: it is not said more often.</summary>
    private static readonly TimeSpan SayAgain = TimeSpan.FromMinutes(1);

    private readonly long _start = terminal.Clock.GetTimestamp();
    private readonly Dictionary<string, (string Reason, long When)> _said = new(StringComparer.Ordinal);

    /// <summary>Nobody asked for a wait.</summary>
    public bool IsNone => most <= TimeSpan.Zero;

    public bool IsOver => Left <= TimeSpan.Zero;

    private TimeSpan Left => most - terminal.Clock.GetElapsedTime(_start);

    /// <summary>The end of the line of those who wait for the lock; null where nobody waits, or no line can be had.</summary>
    public WaitingLine? JoinLine(string lockPath) => IsNone ? null : WaitingLine.Join(lockPath, terminal.Clock);

    /// <param name="what">It waits for: "lock", "quiet".</param>
    /// <param name="reason">Why that is not there, for people.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async Task WaitAsync(string what, string reason, CancellationToken cancellationToken)
    {
        var now = terminal.Clock.GetTimestamp();
        if (!_said.TryGetValue(what, out var last) || (last.Reason != reason && terminal.Clock.GetElapsedTime(last.When, now) >= SayAgain))
        {
            _said[what] = (reason, now);
            terminal.Say($"waiting, at most {RoughTime.Of(Left.TotalSeconds)}: {reason}");
        }

        var pause = Left < Pause ? Left : Pause;
        if (pause > TimeSpan.Zero)
        {
            await Task.Delay(pause, terminal.Clock, cancellationToken);
        }
    }
}
