using PerfLab.Core.Model;

namespace PerfLab.Launching.Results;

/// <summary>What a launch must say for its result to be believed.</summary>
/// <param name="Nonce">The one given to this very launch.</param>
/// <param name="Metrics">The declared metrics of the mode: these and no others.</param>
/// <param name="WallSeconds">From exec to exit, as the runner saw it.</param>
internal sealed record ExpectedResult(string Nonce, IReadOnlyList<Metric> Metrics, double WallSeconds)
{
    // No unit makes such values; their ratios would still be numbers, and rule every figure.
    private const double Largest = 1e18;
    private const double Smallest = 1e-18;

    /// <summary>Everything that is not as agreed, one sentence each.</summary>
    internal IEnumerable<string> Problems(WorkloadResult result)
    {
        if (result.Nonce != Nonce)
        {
            yield return $"nonce is the text \"{Quote.Of(result.Nonce)}\", expected \"{Nonce}\"";
        }

        if (result.MeasuredSeconds > WallSeconds)
        {
            yield return Invariant($"measuredSeconds is {result.MeasuredSeconds}, expected at most the {WallSeconds:0.######} s that the launch took");
        }

        foreach (var stranger in result.Metrics.Keys.Where(IsStrange))
        {
            yield return $"metrics has '{Quote.Of(stranger)}', which the manifest does not declare for this mode";
        }

        foreach (var stranger in result.Windows.Keys.Where(IsStrange))
        {
            yield return $"windows.{Quote.Of(stranger)} is of no metric that the manifest declares for this mode";
        }

        foreach (var problem in Metrics.Select(metric => Problem(metric, result)).OfType<string>())
        {
            yield return problem;
        }
    }

    private bool IsStrange(string name) => Metrics.All(metric => metric.Name != name);

    // What is judged is judged by the logarithm of a ratio: 0 and less have none. Beside it, 0 is a value (nothing was allocated).
    private static string? Problem(Metric metric, WorkloadResult result)
    {
        if (!result.Metrics.TryGetValue(metric.Name, out var found))
        {
            return $"metrics.{metric.Name} is missing, expected a value in {metric.Unit}";
        }

        var wanted = metric.Kind switch
        {
            _ when found.Unit != metric.Unit => null,
            MetricKind.Sampled when metric.Primary && found.Value is < Smallest or > Largest => "a number above 0 (from 1e-18 to 1e18)",
            MetricKind.Sampled when found.Value is not 0 and (< Smallest or > Largest) => "0 or a number above it (from 1e-18 to 1e18)",
            MetricKind.Exact when found.Value is < 0 or > Largest => "0 or more (to 1e18)",
            _ => "",
        };
        return wanted switch
        {
            null => $"metrics.{metric.Name}.unit is the text \"{Quote.Of(found.Unit)}\", expected \"{metric.Unit}\"",
            "" => null,
            _ => Invariant($"metrics.{metric.Name}.value is {found.Value}, expected {wanted}"),
        };
    }
}

/// <summary>A result, or why it is not believed: one sentence each.</summary>
/// <param name="Result">Null when there are problems.</param>
/// <param name="Problems">Empty when there is a result.</param>
/// <param name="Absent">True when there is no file at all: the launch failed, rather than being refused.</param>
internal sealed record ResultReading(WorkloadResult? Result, IReadOnlyList<string> Problems, bool Absent = false);
