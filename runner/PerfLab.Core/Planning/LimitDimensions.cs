using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Core.Planning;

/// <summary>
/// `cpus=1` and `memory=256MiB`: what a launch may use, in place of the workload's own limits. An arm that does not name one has the
/// workload's. A parameter of that name goes first: the manifest is the workload's own.
/// </summary>
public static class LimitDimensions
{
    public const string Cpus = "cpus", Memory = "memory";

    /// <summary>Container engines take no less.</summary>
    private const long LeastBytes = 6L << 20;

    public static readonly IReadOnlyList<string> Names = [Cpus, Memory];

    public static bool Is(Workload workload, string dimension) =>
        dimension is Cpus or Memory && !WorkloadDimensions.IsParameter(workload, dimension);

    /// <summary>The value in its one form ("1GiB" for "1024MiB"), or what is wrong.</summary>
    public static (string? Name, Problem? Problem) Parse(string dimension, string text, string where) =>
        dimension == Cpus ? Cores(text, where) : Size(text, where);

    /// <summary>Null where an arm with these values names neither.</summary>
    internal static AskedLimits? Of(Workload workload, IReadOnlyDictionary<string, DimensionValue> values)
    {
        var cpus = Named(Cpus) is { } count ? int.Parse(count, CultureInfo.InvariantCulture) : (int?)null;
        var bytes = Named(Memory) is { } size ? MemoryText.Bytes(size) : null;
        return cpus is null && bytes is null ? null : new(cpus, bytes);

        string? Named(string dimension) => Is(workload, dimension) ? values.GetValueOrDefault(dimension)?.Name : null;
    }

    private static (string? Name, Problem? Problem) Cores(string text, string where) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var count) && count is > 0 and <= CpuList.Most
            ? (count.ToString(CultureInfo.InvariantCulture), null)
            : (null, new(where, $"'{UntrustedText.Line(text)}' is not a number of cores.", "A whole number from 1: cpus=1"));

    private static (string? Name, Problem? Problem) Size(string text, string where) => MemoryText.Bytes(text) switch
    {
        null => (null, new(
            where, $"'{UntrustedText.Line(text)}' is not {MemoryText.InWords}.", "A whole number of MiB or GiB: memory=256MiB")),
        < LeastBytes => (null, new(where, $"{text} is less than a container can have.", $"At least {MemoryText.Of(LeastBytes)}.")),
        var bytes => (MemoryText.Of(bytes.Value), null),
    };
}
