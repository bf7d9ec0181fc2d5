using System.Diagnostics;
using static System.FormattableString;

namespace PerfLab.Calibration;

/// <summary>Says on the error output every few seconds which row is simulated and how long it still takes.</summary>
public sealed class ProgressLine(TextWriter output)
{
    private static readonly TimeSpan Every = TimeSpan.FromSeconds(5);

    private readonly Lock _lock = new();
    private readonly Stopwatch _row = Stopwatch.StartNew();
    private string _name = "";
    private TimeSpan _last;

    public void Report(string name, double share)
    {
        lock (_lock)
        {
            if (name != _name)
            {
                _name = name;
                _row.Restart();
                _last = TimeSpan.Zero;
            }

            if (_row.Elapsed - _last >= Every && share > 0)
            {
                _last = _row.Elapsed;
                var left = _row.Elapsed.TotalSeconds * (1 - share) / share;
                output.WriteLine(Invariant($"{name}: {100 * share:0} %, {left:0} s left for this row"));
            }
        }
    }
}
