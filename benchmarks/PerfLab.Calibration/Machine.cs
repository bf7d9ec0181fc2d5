using System.Runtime.InteropServices;
using static System.FormattableString;

namespace PerfLab.Calibration;

/// <summary>What the figures were simulated on; they do not depend on it, the time they take does.</summary>
internal static class Machine
{
    public static string Describe()
    {
        const string Processors = "/proc/cpuinfo";
        var model = File.Exists(Processors)
            ? File.ReadLines(Processors).FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))
            : null;
        var processor = model?.Split(':')[^1].Trim() ?? "an unknown processor";
        return Invariant($"{Environment.ProcessorCount} cores of {processor}, ")
            + $"{RuntimeInformation.FrameworkDescription}, {RuntimeInformation.RuntimeIdentifier}";
    }
}
