using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Core.Model;

/// <summary>Limits of one launch.</summary>
/// <param name="Cpus">Whole cores.</param>
/// <param name="MemoryBytes">Hard limit, swap included.</param>
/// <param name="Pids">Most processes and threads at once.</param>
public sealed record Resources([AtLeast(1)] int Cpus, [AtLeast(1)] long MemoryBytes, [AtLeast(1)] int Pids);

/// <summary>What somebody asked for by `cpus=` and `memory=`, in place of what the workload says; null where nobody did.</summary>
/// <param name="Cpus">Whole cores.</param>
/// <param name="MemoryBytes">Hard limit, swap included.</param>
public sealed record AskedLimits(
    [AtLeast(1)][property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] int? Cpus = null,
    [AtLeast(1)][property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] long? MemoryBytes = null)
{
    public Resources In(Resources own) => own with { Cpus = Cpus ?? own.Cpus, MemoryBytes = MemoryBytes ?? own.MemoryBytes };
}
