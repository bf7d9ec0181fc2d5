using System.ComponentModel.DataAnnotations;
using PerfLab.Core.Files;
using PerfLab.Lab.Azure;

namespace PerfLab.Lab.Power;

/// <summary>A self-hosted runner as GitHub lists it.</summary>
public sealed record RegisteredRunner(string Name, string Status, bool Busy)
{
    /// <summary>Offline and busy means that it died at work.</summary>
    public bool Lives => Status == "online" || !Busy;
}

/// <summary>
/// GitHub's answer to "which runners are there", handed over as a file by the part that may ask (`gh api repos/…/actions/runners`):
/// this program holds no GitHub token.
/// </summary>
public sealed record RunnerList([MaxLength(1000)] IReadOnlyList<RegisteredRunner> Runners)
{
    public static FileFormat<RunnerList> Format { get; } = new("", "GitHub's list of runners") { IsForeign = true, MostBytes = 16 << 20 };

    /// <summary>The runner of this lease on this machine is registered and not dead.</summary>
    public bool Serves(Lease lease, string machine) => Runners.Any(runner => runner.Name == NameFor(lease.Holder, machine) && runner.Lives);

    /// <summary>The unique name, and label, under which this attempt registers its runner: no other job can land there.</summary>
    public static string NameFor(LeaseHolder holder, string machine) => Invariant($"run-{holder.RunId}-{holder.Attempt}-{machine}");
}
