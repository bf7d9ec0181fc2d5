using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Launching;
using PerfLab.Launching.Proof;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow;

/// <summary>What a runtime does where nothing is set.</summary>
/// <param name="Runtime">"net11.0.0".</param>
/// <param name="Values">Knob -> its value, or <see cref="DefaultsStep.NotSeen"/>.</param>
internal sealed record RuntimeDefaults(string Runtime, IReadOnlyDictionary<string, string> Values);

/// <summary>
/// Reads the defaults of runtimes from the runtimes themselves: a small program of the lab is launched with every knob left alone, once as
/// it is and once with server GC, and what the runtime, its JIT and its GC report is what they are.
/// </summary>
internal sealed class DefaultsStep(Lab lab, ILauncher launcher)
{
    public const string NotSeen = "not seen";

    private const string Server = "server";

    private static readonly Dictionary<string, string> Untouched = RuntimeKnobs.All
        .Where(knob => knob.Name != RuntimeKnobs.Gc).ToDictionary(knob => knob.Name, _ => RuntimeKnobs.Untouched, StringComparer.Ordinal);

    /// <summary>What <see cref="RunAsync"/> launches.</summary>
    /// <exception cref="WrongUseException">A runtime that is none, or no program here that could be launched.</exception>
    public static RunPlan Plan(Lab lab, IReadOnlyList<string> runtimes, CancellationToken cancellationToken)
    {
        var request = new BenchmarkRequest
        {
            Targets = [Smallest(lab)],
            Arms = [new("defaults", Untouched)],
            Set = new SortedDictionary<string, IReadOnlyList<string>>(StringComparer.Ordinal)
            {
                [WorkloadDimensions.Runtime] = runtimes,
                [RuntimeKnobs.Gc] = [RuntimeKnobs.Untouched, Server],
            },
            Rounds = (0, 1),
            Policy = lab.Config.Policy,
        };
        return new PlanStep(lab.Config, lab.Runtimes(request, cancellationToken)).Make(request, [], isCompared: false);
    }

    /// <summary>Builds and launches what <see cref="Plan"/> says.</summary>
    public async Task<IReadOnlyList<RuntimeDefaults>> RunAsync(RunPlan plan, CancellationToken cancellationToken)
    {
        var builds = new ArmBuilds(await new BuildStep(lab.BuilderFor(launcher), lab.Terminal).RunAsync(plan, cancellationToken));
        await launcher.PrepareAsync([.. builds.Builds], cancellationToken);
        var launches = new LaunchSpecs(SessionFolder.NewId(lab.Terminal.Clock), builds, lab.WorkloadCpus);
        var read = new List<RuntimeDefaults>();
        foreach (var cells in plan.Cells.GroupBy(cell => cell.Dimensions[WorkloadDimensions.Runtime], StringComparer.Ordinal))
        {
            var byGc = new Dictionary<string, JsonObject?>(StringComparer.Ordinal);
            foreach (var cell in cells)
            {
                byGc[cell.Dimensions[RuntimeKnobs.Gc]] = await LaunchAsync(launches, builds, cell, cancellationToken);
            }

            // What adapts its heaps is server GC.
            read.Add(new(cells.Key, RuntimeKnobs.All.ToDictionary(
                knob => knob.Name,
                knob => Value(knob, byGc[knob.Name == RuntimeKnobs.Datas ? Server : RuntimeKnobs.Untouched]), StringComparer.Ordinal)));
        }

        return read;
    }

    /// <summary>With two cores, as server GC needs them, and nothing that has to be fetched.</summary>
    private static string Smallest(Lab lab)
    {
        var catalog = new WorkloadCatalog(lab.Config);
        return catalog.Names.Select(name => catalog.Read(name, [])).OfType<Workload>().Where(IsSmall)
            .MinBy(workload => workload.Launch.WarmUpSeconds)?.Name
            ?? throw new WrongUseException([new("list knobs --runtime",
                "needs a workload to launch, of .NET, with two cores and without frameworks, and this lab has none.",
                "perf-lab's own checkout has one: stand there.")]);
    }

    private static bool IsSmall(Workload workload) =>
        workload is { HasKnobs: true, Result: ResultFormat.PerfLab, Frameworks: [], Resources.Cpus: > 1, Build.Kind: BuildKind.Dotnet };

    private async Task<JsonObject?> LaunchAsync(
        LaunchSpecs launches, ArmBuilds builds, PlannedCell cell, CancellationToken cancellationToken)
    {
        var arm = cell.Arms[0];
        var runtime = cell.Dimensions[WorkloadDimensions.Runtime];
        if (cell.Unavailable is not null || builds[cell.Id, arm.Id].Build is null)
        {
            lab.Terminal.Say($"{runtime}: {cell.Unavailable ?? builds[cell.Id, arm.Id].Unavailable ?? builds[cell.Id, arm.Id].Failure}");
            return null;
        }

        lab.Terminal.Say($"launching on {runtime}, gc {cell.Dimensions[RuntimeKnobs.Gc]}");
        var judged = await JudgedAsync(launches, cell, arm, cancellationToken);
        if (judged.Outcome != Outcome.Measured)
        {
            lab.Terminal.Say($"{runtime}: {judged.Reason}");
        }

        return judged.Evidence["proof"]?["settings"] as JsonObject;
    }

    /// <summary>
    /// A trace from the start on tells what old runtimes and server GC do; later ones tell their settings only without one.
    /// </summary>
    private async Task<JudgedLaunch> JudgedAsync(
        LaunchSpecs launches, PlannedCell cell, PlannedArm arm, CancellationToken cancellationToken)
    {
        if (ProofNeed.Of(arm) != ProofKind.None)
        {
            var traced = new TracedLaunches(launches, launcher);
            return (await traced.LaunchAsync(cell, arm, TraceVariables.JitAndGc, cancellationToken)).Judged;
        }

        var nonce = LaunchEnvironment.NewNonce();
        var end = await launcher.LaunchAsync(launches.Of(cell, arm, nonce, EnvironmentPad.OfProof), cancellationToken);
        return LaunchJudge.Judge(new(cell, arm, nonce), end);
    }

    private static string Value(Knob knob, JsonObject? settings) =>
        settings?[knob.Variable.Name] is JsonObject setting && setting["strength"]?.GetValue<string>() == "direct"
            ? knob.Values.FirstOrDefault(value => knob.Variable.Text(value) == setting["is"]?.GetValue<string>()) ?? NotSeen
            : NotSeen;
}
