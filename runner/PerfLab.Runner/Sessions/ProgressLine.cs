using PerfLab.Core.Model;
using PerfLab.Programs;
using PerfLab.Reports.Text;

namespace PerfLab.Runner.Sessions;

/// <summary>
/// Progress on stderr with the time left: one redrawn line on a terminal, a line every half minute elsewhere. Never faster than once a
/// second, because drawing costs the machine that measures.
/// </summary>
internal sealed class ProgressLine(Terminal terminal) : IProgress<SessionProgress>
{
    private static readonly TimeSpan Redraw = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan PrintAgain = TimeSpan.FromSeconds(30);
    private const string Begin = "measuring: ";

    private long? _last;
    private string _lastNote = "";

    public void Report(SessionProgress value)
    {
        if (value.Note is { } note && note != _lastNote)
        {
            Clear();
            terminal.Say($"  {value.Doing}: {OneLine(note)}");
            _lastNote = note;
        }

        var now = terminal.Clock.GetTimestamp();
        if (_last is { } last && terminal.Clock.GetElapsedTime(last, now) < (terminal.IsErrorInteractive ? Redraw : PrintAgain))
        {
            return;
        }

        _last = now;
        var left = value.SecondsLeft is { } seconds ? $", {(value.IsAtMost ? "at most" : "about")} {RoughTime.Of(seconds)} left" : "";
        var noise = value.Noise is { } spread ? $", noise {Percent.Of(spread)} so far" : "";
        var rest = Invariant($", {value.Launched} launches done{noise}{left}");
        if (terminal.IsErrorInteractive)
        {
            terminal.Error.Write("\r\u001b[K" + Within(terminal.ErrorWidth(), value.Doing, rest));
        }
        else
        {
            terminal.Say(Begin + value.Doing + rest);
        }
    }

    /// <summary>A line that reaches the edge is wrapped, and then only its end can be redrawn: what is measured is cut first.</summary>
    private static string Within(int width, string doing, string rest)
    {
        var room = width - 1 - Begin.Length - rest.Length;
        var whole = Begin + (doing.Length <= room ? doing : room > 1 ? doing[..(room - 1)] + "…" : "") + rest;
        return whole.Length < width ? whole : whole[..Math.Max(0, width - 1)];
    }

    public void Clear()
    {
        if (terminal.IsErrorInteractive)
        {
            terminal.Error.Write("\r\u001b[K");
        }
    }

    /// <summary>Notes may quote a workload: control characters never reach the terminal.</summary>
    private static string OneLine(string text)
    {
        var clean = new string([.. text.Take(300).Select(character => char.IsControl(character) ? ' ' : character)]);
        return clean.Length < text.Length ? clean + "…" : clean;
    }
}
