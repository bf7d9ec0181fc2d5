using System;
using System.Collections.Generic;

namespace PerfLab.WorkloadKit;

/// <summary>What a launch has reported so far.</summary>
internal sealed class LaunchResult
{
    public string Nonce { get; set; } = "";
    public double MeasuredSeconds { get; set; }

    /// <summary>The last measurement; null when nothing was measured.</summary>
    public Windows? Measured { get; set; }

    /// <summary>The windows of the warm-up before it.</summary>
    public TimedWindows? WarmUp { get; set; }

    /// <summary>How it ended; null when nothing was warmed up.</summary>
    public RestWatch? Rest { get; set; }

    /// <summary>The windows of what something else measured after the warm-up.</summary>
    public TimedWindows? Elsewhere { get; set; }
    public List<Metric> Metrics { get; } = [];
    public List<KeyValuePair<string, IReadOnlyList<double>>> Windows { get; } = [];
    public List<KeyValuePair<string, LatencyHistogram>> Histograms { get; } = [];
    public SortedDictionary<string, string> Facts { get; } = new(StringComparer.Ordinal);
}

/// <summary>A metric's value in its unit.</summary>
internal sealed class Metric
{
    public Metric(string name, double value, string unit)
    {
        Name = name;
        Value = value;
        Unit = unit;
    }

    public string Name { get; }
    public double Value { get; }
    public string Unit { get; }
}
