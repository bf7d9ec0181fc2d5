using PerfLab.Building.Manifests;
using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Planning;
using PerfLab.Launching.Processes;
using PerfLab.Launching;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Watching;
using PerfLab.Runner.Sessions;

namespace PerfLab.Workload.Tests.Evidence;

/// <summary>A folder with a workload, planned, built, launched once and journalled as `run` does it.</summary>
internal static class RealCells
{
    public static async Task<SampleSet> RunAsync(Lab lab, string folder, string release, params (string Dimension, string Value)[] values)
    {
        var (plan, builds) = await PlanAsync(lab, folder, release, values);
        await using var launcher = ProcessLauncher.Create();
        await launcher.PrepareAsync([.. builds.Builds], CancellationToken.None);
        return await JournalAsync(plan, builds, launcher);
    }

    /// <summary>One cell of one arm, built.</summary>
    public static Task<(RunPlan Plan, ArmBuilds Builds)> PlanAsync(
        Lab lab, string folder, string release, params (string Dimension, string Value)[] values) =>
        PlanAsync(lab, folder, release, [new("head", new Dictionary<string, string>(StringComparer.Ordinal))], values);

    /// <summary>One cell of arms that differ in nothing that is built.</summary>
    public static async Task<(RunPlan Plan, ArmBuilds Builds)> PlanAsync(
        Lab lab, string folder, string release, ArmRequest[] arms, params (string Dimension, string Value)[] values)
    {
        var problems = new List<Problem>();
        var workload = WorkloadManifest.Read(folder, problems);
        problems.ShouldBeEmpty();
        var set = values.ToDictionary(pair => pair.Dimension, pair => (IReadOnlyList<string>)[pair.Value], StringComparer.Ordinal);
        set.Add("runtime", [release]);
        var result = Planner.Plan(
            new BenchmarkRequest
            {
                Targets = [],
                Arms = arms,
                Set = new SortedDictionary<string, IReadOnlyList<string>>(set, StringComparer.Ordinal),
                Rounds = (0, 1),
                Seed = 1,
            },
            new([lab.WithVersions(workload!)], (asked, _) => (new(asked, release, Lab.PatchOf(release), null), null)));
        var plan = result.Plan ?? throw new InvalidOperationException(string.Join("; ", result.Problems));
        var cell = plan.Cells.Single();
        var build = await lab.BuiltAsync(cell.Arms[0].Recipe);
        return (plan, new ArmBuilds(cell.Arms.ToDictionary(arm => (cell.Id, arm.Id), _ => new BuildResult(build, null, null))));
    }

    private static async Task<SampleSet> JournalAsync(RunPlan plan, ArmBuilds builds, ILauncher launcher)
    {
        var header = new SessionHeader
        {
            Session = "test",
            Plan = plan.Hash,
            Seed = plan.Seed,
            Started = DateTimeOffset.UnixEpoch,
            Executor = launcher.Executor,
            Policy = plan.Policy,
            Cells = builds.ToCells(plan),
        };
        using var stream = new MemoryStream();
        using (var journal = new JournalWriter(stream, () => { }))
        {
            var setup = new SessionSetup { Plan = plan, Builds = builds, Header = header };
            var record = SessionRecord.Start(journal, header);
            var rounds = new RoundRunner(setup, record, launcher, new HygieneWatch(new MachineFiles(), TimeProvider.System, HygienePolicy.Any), TimeProvider.System);
            await new Session(setup, record, rounds, new Progress<SessionProgress>()).RunAsync(CancellationToken.None);
        }

        return JournalReader.Read(stream.ToArray()).Samples!;
    }
}
