namespace PerfLab.Machine.Facts;

/// <summary>
/// Ticks that the cores really made against ticks at the nominal clock: acpi_cppc/feedback_ctrs holds "ref:N del:M", which are MPERF and
/// APERF of the core, and the performance levels say what the reference is of the nominal clock
/// (https://docs.kernel.org/admin-guide/acpi/cppc_sysfs.html).
/// </summary>
internal sealed record FeedbackCounters(double Reference, double Delivered)
{
    private const int MostCores = 64;
    private const string Name = "/feedback_ctrs";

    public double SinceBoot => Reference > 0 ? Delivered / Reference : 1;

    /// <summary>Folders of the cores that have these counters.</summary>
    public static IReadOnlyList<string> Find(MachineFiles files) =>
        [.. files.All("/sys/devices/system/cpu/cpu*/acpi_cppc" + Name).Take(MostCores).Select(file => file[..^Name.Length])];

    /// <summary>Summed over the cores; null when one does not say.</summary>
    public static FeedbackCounters? Read(MachineFiles files, IReadOnlyList<string> cores)
    {
        var (reference, delivered) = (0.0, 0.0);
        foreach (var core in cores)
        {
            if ((files.Text(core + Name) ?? "").Trim().Split(' ') is not [var first, var second]
                || Number(first, "ref:") is not { } made || Number(second, "del:") is not { } real
                || KernelText.Whole(files.Text(core + "/reference_perf") ?? "") is not (> 0 and var level)
                || KernelText.Whole(files.Text(core + "/nominal_perf") ?? "") is not (> 0 and var nominal))
            {
                return null;
            }

            (reference, delivered) = (reference + ((double)made * nominal / level), delivered + real);
        }

        return cores.Count == 0 ? null : new(reference, delivered);
    }

    /// <summary>Real over nominal clock between two readings; null when the counters stood still or turned over.</summary>
    public static double? Ratio(FeedbackCounters? before, FeedbackCounters? after) =>
        before is null || after is null || after.Reference <= before.Reference || after.Delivered < before.Delivered
            ? null
            : (after.Delivered - before.Delivered) / (after.Reference - before.Reference);

    private static long? Number(string text, string label) => text.StartsWith(label, StringComparison.Ordinal) ? KernelText.Whole(text[label.Length..]) : null;
}
