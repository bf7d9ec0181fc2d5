namespace PerfLab.Core.Model;

/// <summary>Which direction of a metric is good.</summary>
public enum Better { Higher, Lower }

/// <summary>How a metric is compared: by test over rounds, or for equality.</summary>
public enum MetricKind { Sampled, Exact }

/// <summary>
/// A number that a launch yields, in <paramref name="Unit"/>. Exactly one metric of a cell is primary: the one that gets a verdict.
/// </summary>
public sealed record Metric(string Name, string Unit, Better Better, bool Primary = false, MetricKind Kind = MetricKind.Sampled);
