using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Trends;
using PerfLab.Launching;
using PerfLab.Reports.Why;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Keeping;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Commits;

/// <summary>
/// Commits of the past, one after the other, each measured beside the anchor in a session of its own that stands in the history at the
/// commit's date. All that is known is in the folder, so that going on after a crash is the same code.
/// </summary>
internal sealed class BackfillStep(Lab lab, PlanStep plans, ILauncher launcher, string folder, WaitBudget budget)
{
    private const string Head = "head", Neighbour = "neighbour";

    private readonly Dictionary<int, BackfilledPlace> _known = [];
    private readonly Dictionary<int, BackfilledCommit> _seen = [];
    private readonly long _began = lab.Terminal.Clock.GetTimestamp();
    private int _measured;

    /// <summary>As the command was asked, without arms.</summary>
    public required BenchmarkRequest Request { get; init; }

    /// <summary>The anchor first.</summary>
    public required IReadOnlyList<PastCommit> Line { get; init; }

    /// <summary>How many commits are to be measured, those of earlier runs among them. What runs the same as one of them is free.</summary>
    public required int Points { get; init; }

    /// <summary>No further commit is begun after this.</summary>
    public required TimeSpan Most { get; init; }

    /// <summary>Whether the time ended it.</summary>
    public bool IsOutOfTime { get; private set; }

    /// <summary>Of the commits that have a value, in the order of the line.</summary>
    public IReadOnlyList<BackfilledPlace> Known => [.. _known.Values.OrderBy(place => place.Place)];

    private int Sessions => _seen.Values.Count(commit => commit.Outcome == BackfillOutcome.Measured);

    private string FileName => Path.Combine(folder, "backfill.json");

    public async Task<BackfillFile> RunAsync(BackfillFile? earlier, CancellationToken cancellationToken)
    {
        _known[0] = new(0, new Dictionary<string, (double Change, double Half)>(StringComparer.Ordinal), Line[0].Id);
        var places = Line.Index().ToDictionary(commit => commit.Item.Id, commit => commit.Index, StringComparer.Ordinal);
        foreach (var commit in earlier?.Commits ?? [])
        {
            if (places.TryGetValue(commit.Id, out var place))
            {
                Add(place, commit);
            }
        }

        var tags = Line.Index().Where(commit => commit.Item.Tags.Count > 0).Select(commit => commit.Index).ToHashSet();
        while (Sessions < Points && Next(tags) is { } place)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (lab.Terminal.Clock.GetElapsedTime(_began) >= Most)
            {
                IsOutOfTime = true;
                break;
            }

            Say(place);
            Add(place, await PointAsync(place, cancellationToken));
            SessionFolder.WriteWhole(FileName, BackfillFile.File.Write(File()));
        }

        return File();
    }

    private BackfillFile File() => new()
    {
        Anchor = Line[0].Id,
        Commits = [.. _seen.OrderBy(commit => commit.Key).Select(commit => commit.Value)],
    };

    private int? Next(HashSet<int> tags) => BackfillOrder.Next(Line.Count, [.. _known.Values],
        _seen.Where(commit => commit.Value.Outcome == BackfillOutcome.LeftOut).Select(commit => commit.Key).ToHashSet(), tags);

    private void Say(int place)
    {
        var commit = Line[place];
        var left = _measured == 0 ? "" : $", at most {RoughTime.Of(
            lab.Terminal.Clock.GetElapsedTime(_began).TotalSeconds / _measured * (Points - Sessions))} left";
        lab.Terminal.Say(Invariant($"point {Sessions + 1} of {Points}: {commit.Id[..12]} of {commit.At:yyyy-MM-dd}")
            + $"{string.Concat(commit.Tags.Select(tag => $" ({UntrustedText.Line(tag)})"))} {commit.Subject}{left}");
    }

    private void Add(int place, BackfilledCommit commit)
    {
        _seen[place] = commit;
        var session = commit.Outcome switch
        {
            BackfillOutcome.Measured => commit.Id,
            BackfillOutcome.Same => commit.SameAs,
            _ => null,
        };
        if (session is not null && Values(session) is { } values)
        {
            _known[place] = new(place, values, session);
        }
        else if (commit.Outcome != BackfillOutcome.LeftOut)
        {
            _seen.Remove(place); // its journal is gone: it is measured anew
        }
    }

    /// <summary>Also the session's name in the history, where two requests for the same commit and anchor must not be one.</summary>
    private string FolderOf(string commit) => Path.Combine(folder, $"{commit[..12]}-{Path.GetFileName(folder)}");

    private string PathOf(string commit, string name) => Path.Combine(FolderOf(commit), name);

    /// <summary>ln(commit / anchor) and half its interval, by row; null when its session did not end.</summary>
    private Dictionary<string, (double Change, double Half)>? Values(string commit)
    {
        if (commit == Line[0].Id)
        {
            return []; // 0 by definition
        }

        var (journal, plan) = (PathOf(commit, "samples.ndjson"), PathOf(commit, "plan.json"));
        if (!System.IO.File.Exists(journal) || !System.IO.File.Exists(plan))
        {
            return null;
        }

        var (samples, comparison) = CompareStep.Run(journal, PlanStep.Read(plan));
        var label = JitCell.Labels(samples.Header.Cells);
        return !samples.Complete ? null : comparison.Cells
            .Where(row => row is { Primary: true, Change: > -1, Low: > -1, High: { } high } && double.IsFinite(high))
            .ToDictionary(row => label(row.Cell), row => (
                Math.Log(1 + row.Change!.Value), Math.Log((1 + row.High!.Value) / (1 + row.Low!.Value)) / 2), StringComparer.Ordinal);
    }

    private async Task<BackfilledCommit> PointAsync(int place, CancellationToken cancellationToken)
    {
        var commit = Line[place];
        var plan = Plan(place, SeriesName.AnchorArm, Line[0].Id);
        var (builds, missing) = await BuiltAsync(plan, cancellationToken);
        if (missing is not null)
        {
            return new(commit.Id, BackfillOutcome.LeftOut) { Why = missing };
        }

        if (await SameAsAsync(place, builds, cancellationToken) is { } same)
        {
            lab.Terminal.Say($"it runs what {same[..12]} runs: not measured");
            return new(commit.Id, BackfillOutcome.Same) { SameAs = same };
        }

        using var session = SessionFolder.Open(FolderOf(commit.Id));
        SessionFolder.WriteWhole(session.Plan, stream => PlanFile.File.Write(new(plan), stream));
        SessionFolder.WriteWhole(session.Builds, BuildsFile.Write(plan, builds.Results));
        System.IO.File.Delete(session.Samples); // of a run that was cut
        await new MeasureStep(lab, launcher, budget: budget) { TellsInterruption = false }
            .RunAsync(plan, builds, session, cancellationToken);
        _measured++;
        using var ledger = LabLedger.ToKeep(lab.Terminal, lab.Config);
        var (samples, comparison) = CompareStep.Run(session.Samples, plan, ledger);
        if (!samples.Complete || !comparison.Cells.Any(row => row is { Primary: true, Change: not null }))
        {
            return new(commit.Id, BackfillOutcome.LeftOut)
            {
                Why = samples.Complete ? "no launch of it gave a value" : "its session did not end",
            };
        }

        ledger.Keep(session.Samples, samples, comparison);
        return new(commit.Id, BackfillOutcome.Measured);
    }

    private RunPlan Plan(int place, string referenceArm, string reference) => plans.Make(
        Request with
        {
            Arms = [Arm(referenceArm, reference), Arm(Head, Line[place].Id)],
            Seed = Request.Seed + (ulong)place,
            PlacedAt = Line[place].At,
        }, []);

    private static ArmRequest Arm(string id, string commit) =>
        new(id, new Dictionary<string, string>(StringComparer.Ordinal) { ["source"] = commit });

    /// <summary>The builds, and why the commit has none.</summary>
    private async Task<(ArmBuilds Builds, string? Missing)> BuiltAsync(RunPlan plan, CancellationToken cancellationToken)
    {
        SourceCommits.CheckOut(plan, lab.Config);
        lab.RequireLaunchable(launcher, plan);
        var builds = new ArmBuilds(await new BuildStep(lab.BuilderFor(launcher), lab.Terminal).RunAsync(plan, cancellationToken));
        var cells = plan.Cells.Where(cell => cell.Unavailable is null).ToList();
        if (cells.Count == 0)
        {
            throw new LabException("planning", plan.Cells[0].Unavailable!, "name other values");
        }

        var anchors = cells.Select(cell => builds[cell.Id, cell.Arms[0].Id]).ToList();
        if (anchors.TrueForAll(build => build.Build is null))
        {
            throw new LabException($"building {Line[0].Id[..12]}, the anchor", anchors[0].Unavailable ?? anchors[0].Failure ?? "nothing",
                "name a commit that builds with --since");
        }

        var heads = cells.Select(cell => builds[cell.Id, Head]).ToList();
        return (builds, !heads.TrueForAll(build => build.Build is null) ? null
            : UntrustedText.Line(heads[0].Unavailable ?? heads[0].Failure ?? "it does not build", UntrustedText.MaxChars));
    }

    /// <summary>The next commit on either side that has a value, if nothing that any row runs differs from it.</summary>
    private async Task<string?> SameAsAsync(int place, ArmBuilds built, CancellationToken cancellationToken)
    {
        var before = _known.Keys.Where(other => other < place).Max();
        foreach (var other in _known.Keys.Where(other => other > place).Order().Take(1).Prepend(before))
        {
            // Of a commit that runs what another one runs the builds are that one's.
            var measured = _seen.GetValueOrDefault(other)?.SameAs ?? Line[other].Id;
            (ArmBuilds Builds, string Arm) neighbour = measured == Line[0].Id ? (built, SeriesName.AnchorArm)
                : (BuildsFile.Read(PathOf(measured, "builds.json"), PlanStep.Read(PathOf(measured, "plan.json"))), Head);
            var plan = Plan(place, Neighbour, measured);
            var builds = new ArmBuilds(plan.Cells.SelectMany(cell => ((string, BuildResult)[])[
                    (Neighbour, neighbour.Builds[cell.Id, neighbour.Arm]), (Head, built[cell.Id, Head])],
                (cell, arm) => (Key: (cell.Id, arm.Item1), arm.Item2)).ToDictionary(one => one.Key, one => one.Item2));
            if (await new SameRows(lab, launcher).AreSameAsync(plan, builds, Neighbour, Head, cancellationToken))
            {
                return measured;
            }
        }

        return null;
    }
}
