using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace PerfLab.WorkloadKit;

/// <summary>Windows in order: units of work per second, when each ended (seconds from the first one's start), methods compiled in each.</summary>
internal sealed class TimedWindows
{
    /// <summary>Windows that go into a result: twenty seconds of them. A longer launch gets longer windows, so that no result is too large.</summary>
    public const int Most = 200;

    public TimedWindows(IReadOnlyList<double> rates, IReadOnlyList<double> ends, IReadOnlyList<long> compiled)
    {
        Rates = rates;
        Ends = ends;
        Compiled = compiled;
    }

    public IReadOnlyList<double> Rates { get; }
    public IReadOnlyList<double> Ends { get; }
    public IReadOnlyList<long> Compiled { get; }

    /// <summary>These windows and, after them, the windows of <paramref name="next"/> on the same time axis.</summary>
    public TimedWindows Then(TimedWindows next)
    {
        var offset = Ends.Count == 0 ? 0 : Ends[Ends.Count - 1];
        return new TimedWindows([.. Rates, .. next.Rates], [.. Ends, .. next.Ends.Select(end => end + offset)], [.. Compiled, .. next.Compiled]);
    }

    /// <summary>Neighbours joined, two or more to one, so that there are at most <see cref="Most"/>. Time, work and methods stay what they were.</summary>
    public TimedWindows Joined()
    {
        var by = (Rates.Count + Most - 1) / Most;
        if (by <= 1)
        {
            return this;
        }

        var (rates, ends, compiled) = (new List<double>(), new List<double>(), new List<long>());
        for (var first = 0; first < Rates.Count; first += by)
        {
            // The last one joins what is left, and may be shorter.
            var group = Enumerable.Range(first, Math.Min(by, Rates.Count - first)).ToArray();
            var end = Ends[group[group.Length - 1]];
            ends.Add(end);
            rates.Add(group.Sum(window => Rates[window] * (Ends[window] - Start(window))) / (end - Start(first)));
            compiled.Add(group.Sum(window => Compiled[window]));
        }

        return new TimedWindows(rates, ends, compiled);
    }

    private double Start(int window) => window == 0 ? 0 : Ends[window - 1];

    /// <summary>Six digits tell windows apart and keep a journal of many launches small.</summary>
    public static double Rounded(double value) =>
        double.Parse(value.ToString("G6", CultureInfo.InvariantCulture), NumberStyles.Float, CultureInfo.InvariantCulture);
}
