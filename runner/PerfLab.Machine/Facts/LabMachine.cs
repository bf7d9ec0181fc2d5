using PerfLab.Core.Model;

namespace PerfLab.Machine.Facts;

/// <summary>
/// What the owner of a machine of the lab wrote into /etc/perf-lab/machine.conf (infra/machine/install.sh makes it): shell assignments, read
/// line by line and never executed. All null on a laptop, which has no such file.
/// </summary>
/// <param name="Kind">KIND: the policy that holds here when nobody says another.</param>
/// <param name="Cpus">LAB_CPUS: cores for everything but workloads.</param>
/// <param name="Kernel">KERNEL: the release that figures of this machine are taken with ("6.8.0-41-generic"); optional.</param>
/// <param name="Size">SIZE: the size that the machine was ordered in ("Standard_D4s_v5"); optional.</param>
internal sealed record LabMachine(HygienePolicy? Kind, IReadOnlyList<int>? Cpus, string? Kernel, string? Size)
{
    public const string File = "/etc/perf-lab/machine.conf";

    public static LabMachine Read(MachineFiles files)
    {
        var text = files.Text(File) ?? "";
        var kind = Value(text, "KIND") switch { "azure" => HygienePolicy.Azure, "metal" => HygienePolicy.Metal, _ => (HygienePolicy?)null };
        return new(kind, CpuList.TryParse(Value(text, "LAB_CPUS") ?? "", out var cpus) && cpus.Count > 0 ? cpus : null, Value(text, "KERNEL"), Value(text, "SIZE"));
    }

    private static string? Value(string text, string name) => text.Split('\n', 256)
        .Where(line => line.StartsWith(name, StringComparison.Ordinal) && line.Length > name.Length && line[name.Length] == '=')
        .Select(line => KernelText.Line(line[(name.Length + 1)..].Trim().Trim('"', '\''))).LastOrDefault();
}
