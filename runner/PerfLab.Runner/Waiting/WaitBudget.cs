using PerfLab.Core.Model;
using PerfLab.Runner.Terminals;

namespace PerfLab.Runner.Waiting;

/// <summary>How long somebody is ready to wait for this machine, all reasons together. Says what it waits for, each reason once.</summary>
internal sealed class WaitBudget(Terminal terminal, TimeSpan most)
{
    /// <summary>Looking costs a second of the machine: often enough for a person, rarely enough for whoever measures.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(10);

    private readonly long _start = terminal.Clock.GetTimestamp();
    private readonly HashSet<string> _said = new(StringComparer.Ordinal);

    /// <summary>Nobody asked for a wait.</summary>
    public bool IsNone => most <= TimeSpan.Zero;

    public bool IsOver => Left <= TimeSpan.Zero;

    private TimeSpan Left => most - terminal.Clock.GetElapsedTime(_start);

    public async Task WaitAsync(string what, string reason, CancellationToken cancellationToken)
    {
        if (_said.Add(what))
        {
            terminal.Say($"waiting, at most {RoughTime.Of(Left.TotalSeconds)}: {reason}");
        }

        var pause = Left < Pause ? Left : Pause;
        if (pause > TimeSpan.Zero)
        {
            await Task.Delay(pause, terminal.Clock, cancellationToken);
        }
    }
}
