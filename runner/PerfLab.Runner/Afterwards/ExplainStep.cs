using PerfLab.Building;
using PerfLab.Building.Changes;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Profiles;
using PerfLab.Reports.Why;
using PerfLab.Launching;
using PerfLab.Launching.Proof;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Afterwards;

/// <summary>
/// Plan + builds -> which methods and counters differ: interleaved traced launches of the arms, nothing of which is measured.
/// </summary>
internal sealed class ExplainStep(Lab lab, ILauncher launcher)
{
    /// <summary>A smaller part of everything that has no name is not worth a sentence.</summary>
    private const double UnnamedShare = 0.05;

    /// <param name="plan">Whose cells are explained.</param>
    /// <param name="built">Their builds.</param>
    /// <param name="asked">Which pairs, in this order: (cell, arm other than the reference).</param>
    /// <param name="folder">Gets a flame graph and folded stacks for each pair.</param>
    /// <param name="cancellationToken">Ends it; nothing is lost, because nothing was measured.</param>
    public async Task<Explanation> RunAsync(
        RunPlan plan, ArmBuilds built, IReadOnlyList<(string Cell, string Arm)> asked, string folder, CancellationToken cancellationToken)
    {
        var label = JitCell.Labels(built.ToCells(plan));
        await launcher.PrepareAsync([.. built.Builds], cancellationToken);
        var launches = new LaunchSpecs(SessionFolder.NewId(lab.Terminal.Clock), built, lab.WorkloadCpus);
        var traced = new ProfiledLaunches(new TracedLaunches(launches, launcher), new PilotLaunches(launches, launcher));
        var pairs = (from one in asked
                     from cell in plan.Cells
                     where cell.Id == one.Cell && cell.Unavailable is null
                     from arm in cell.Arms.Skip(1)
                     where arm.Id == one.Arm
                     select new Pair(plan.Seed, cell, arm, label(cell.Id))).ToList();
        var time = new TimeLeft(lab.Terminal.Clock, pairs.Count * ProfileComparison.Rounds);
        var rows = new List<ExplainedRow>();
        foreach (var pair in pairs)
        {
            rows.Add(await RowAsync(pair, built, traced, time, folder, cancellationToken));
            time.DoneUntil(rows.Count * ProfileComparison.Rounds);
        }

        return new() { Plan = plan.Hash, Rows = rows };
    }

    private sealed record Pair(ulong Seed, PlannedCell Cell, PlannedArm Arm, string Label)
    {
        public PlannedArm Reference => Cell.Arms[0];

        public string Picture => SessionFolder.FlameGraph(Cell.Id, Arm.Id);

        public string StacksOf(PlannedArm arm) => $"why-{Cell.Id}-{Arm.Id}.{arm.Id}.folded";
    }

    private async Task<ExplainedRow> RowAsync(
        Pair pair, ArmBuilds built, ProfiledLaunches traced, TimeLeft time, string folder, CancellationToken cancellationToken)
    {
        var rounds = new List<(LaunchProfile Reference, LaunchProfile Arm)>();
        var doubts = new List<string>();
        foreach (var arm in new[] { pair.Reference, pair.Arm })
        {
            if (built[pair.Cell.Id, arm.Id] is { Build: null } missing)
            {
                doubts.Add($"{arm.Id}: {missing.Unavailable ?? missing.Failure}");
            }
        }

        if (doubts.Count == 0 && await traced.PilotProblemAsync(pair.Cell, cancellationToken) is { } noPilot)
        {
            doubts.Add(noPilot);
        }

        // The draws of the confirm stage: order and length of the environment are what they were when the row was measured.
        var cell = pair.Cell with { Arms = [pair.Reference, pair.Arm] };
        var lost = 0;
        foreach (var round in doubts.Count > 0 ? [] : RoundOrder.Draw(pair.Seed, Stage.Confirm, ProfileComparison.Rounds, [cell]))
        {
            lab.Terminal.Say(Invariant($"tracing {pair.Label}, {pair.Arm.Id}: ")
                + Invariant($"round {round.Round + 1} of {ProfileComparison.Rounds}{time.InWords}"));
            var profiles = new Dictionary<string, LaunchProfile>(StringComparer.Ordinal);
            foreach (var id in round.Order)
            {
                var arm = id == pair.Arm.Id ? pair.Arm : pair.Reference;
                var (profile, problem) = await traced.LaunchAsync(
                    pair.Cell, arm, EnvironmentPad.Draw(pair.Seed, Stage.Confirm, round, attempt: 0), cancellationToken);
                if (profile is null)
                {
                    doubts.Add(Invariant($"round {round.Round + 1}, {id}: {problem}"));
                }
                else
                {
                    profiles.Add(id, profile);
                }
            }

            if (profiles.Count == 2)
            {
                rounds.Add((profiles[pair.Reference.Id], profiles[pair.Arm.Id]));
            }
            else
            {
                lost++;
            }

            time.DoneOne();
            if (lost > ProfileComparison.Rounds - ProfileComparison.LeastRounds && round.Round + 1 < ProfileComparison.Rounds)
            {
                doubts.Add("given up after these");
                break;
            }
        }

        var changes = ProfileComparison.Of(rounds, rounds.Count == 0 ? null : OtherCode(pair, built));
        var row = new ExplainedRow
        {
            Cell = pair.Cell.Id,
            Label = pair.Label,
            Arm = pair.Arm.Id,
            Reference = pair.Reference.Id,
            Work = WorkOf(pair.Cell),
            Rounds = rounds.Count,
            Figures = changes.Figures,
            Methods = changes.Methods,
            OtherCode = changes.OtherCode.Count == 0 ? null : [.. changes.OtherCode.Take(ExplainedRow.MostOtherCode)],
            Doubts = [.. doubts, .. Unnamed(rounds), .. TooFew(rounds.Count, changes), .. OtherNodes(pair.Arm)],
        };
        return rounds.Count == 0 ? WithoutFiles(pair, row, folder) : WriteFiles(pair, rounds, row with
        {
            Flame = FlameNode.ListOf(FrameTree.Of(ProfileKind.Processor, rounds)),
        }, folder);
    }

    /// <summary>What differs between the two builds: known before anything is looked at.</summary>
    private static ChangedMethods OtherCode(Pair pair, ArmBuilds built)
    {
        BuildContent? Content(PlannedArm arm) =>
            built[pair.Cell.Id, arm.Id].Build is { Image: null } build ? BuildContent.Read(build.Folder).Content : null;
        return Content(pair.Reference) is { } old && Content(pair.Arm) is { } now
            ? new(BuildChange.Of(old, now).Methods.Select(method => method.Words)) : ChangedMethods.None;
    }

    private static IEnumerable<string> TooFew(int rounds, ProfileChanges changes) =>
        rounds < ProfileComparison.LeastRounds || changes.CanName ? []
        : [Invariant($"{changes.Candidates} methods and counters were looked at: with so many, {rounds} rounds can name none, however much it changed")];

    private static IEnumerable<string> OtherNodes(PlannedArm arm) => arm.Nodes is not { Count: > 1 } nodes ? []
        : [Invariant($"of its {nodes.Count} nodes the one that reports was looked at: what changed in another is not seen here")];

    /// <summary>Time that no method can be blamed for.</summary>
    internal static IEnumerable<string> Unnamed(IReadOnlyList<(LaunchProfile Reference, LaunchProfile Arm)> rounds)
    {
        var stacks = rounds.SelectMany(round => (LaunchProfile[])[round.Reference, round.Arm])
            .SelectMany(profile => profile.Of(ProfileKind.Processor)).ToList();
        var unnamed = stacks.Where(stack => MethodName.IsMissing(stack.Frames[^1])).Sum(stack => stack.Weight);
        var share = unnamed / stacks.Sum(stack => stack.Weight); // not a number, and so no sentence, where there are none
        return share > UnnamedShare
            ? [Invariant($"{share * 100:0} % of the time is in code without a name: native, or its symbols are not in the trace")] : [];
    }

    /// <summary>"doc" of "doc/s"; a time is that of one launch's work or of one operation.</summary>
    private static string WorkOf(PlannedCell cell) =>
        cell.Metrics.First(metric => metric.Primary).Unit is { } unit && unit.EndsWith("/s", StringComparison.Ordinal) && unit.Length > 2
            ? unit[..^2] : "unit of work";

    private static ExplainedRow WriteFiles(
        Pair pair, List<(LaunchProfile Reference, LaunchProfile Arm)> rounds, ExplainedRow row, string folder)
    {
        Directory.CreateDirectory(folder);
        SessionFolder.WriteWhole(Path.Combine(folder, pair.Picture), ExplanationText.Flame(row));
        WriteStacks(pair.Reference, rounds.Select(round => round.Reference));
        WriteStacks(pair.Arm, rounds.Select(round => round.Arm));
        return row;

        void WriteStacks(PlannedArm arm, IEnumerable<LaunchProfile> profiles) => SessionFolder.WriteWhole(
            Path.Combine(folder, pair.StacksOf(arm)), FoldedStacks.Of([.. profiles.Select(profile => profile.Of(ProfileKind.Processor))]));
    }

    /// <summary>Those of an earlier try would be about other launches than the row.</summary>
    private static ExplainedRow WithoutFiles(Pair pair, ExplainedRow row, string folder)
    {
        foreach (var file in (string[])[pair.Picture, pair.StacksOf(pair.Reference), pair.StacksOf(pair.Arm)])
        {
            File.Delete(Path.Combine(folder, file));
        }

        return row;
    }
}
