using PerfLab.Core.Files;

namespace PerfLab.Core.Model;

/// <summary>Limits of one launch, the same for every arm.</summary>
/// <param name="Cpus">Whole cores.</param>
/// <param name="MemoryBytes">Hard limit, swap included.</param>
/// <param name="Pids">Most processes and threads at once.</param>
public sealed record Resources([AtLeast(1)] int Cpus, [AtLeast(1)] long MemoryBytes, [AtLeast(1)] int Pids);
