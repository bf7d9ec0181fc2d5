using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Trends;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Commits;

/// <summary>
/// The search: good against bad until the change is proven, then the commit that tells most, again and again, and at last the culprit
/// against the commit before it; where that shows nothing, its rounds count, too, and the search goes on. Whatever is decided is read
/// off the file and the journals, so going on after a crash is the same code.
/// </summary>
internal sealed class BisectStep(Lab lab, Probes probes, string folder, TimeSpan budget)
{
    /// <summary>Rounds that prove a change: of the two ends, and of the culprit beside the commit before it.</summary>
    private const int ProvingRounds = 20;

    /// <summary>Until a build was timed.</summary>
    private const double UsualBuildSeconds = 20;

    private readonly long _began = lab.Terminal.Clock.GetTimestamp();
    private readonly Dictionary<int, ProbeResult> _results = [];
    private double _buildSeconds = UsualBuildSeconds;
    private double _roundSeconds = 1;

    /// <summary>The file, in which <see cref="BisectFile.Outcome"/> says how it ended, and what its probes measured, by number.</summary>
    public async Task<(BisectFile File, IReadOnlyDictionary<int, ProbeResult> Results)> RunAsync(
        BisectFile file, CancellationToken cancellationToken)
    {
        file = file with { Outcome = BisectOutcome.Searching };
        Save(file);
        foreach (var probe in file.Probes)
        {
            file = await ProbeAsync(file, probe, cancellationToken);
        }

        while (file.Outcome == BisectOutcome.Searching)
        {
            cancellationToken.ThrowIfCancellationRequested();
            file = await StepAsync(file, cancellationToken);
            Save(file);
        }

        return (file, _results);
    }

    private async Task<BisectFile> StepAsync(BisectFile file, CancellationToken cancellationToken)
    {
        if (Result(file, ProbeKind.Ends) is not { } ends)
        {
            return await ProbeAsync(file, New(file, ProbeKind.Ends, (0, file.Commits.Count - 1), ProvingRounds), cancellationToken);
        }

        if (ends.Row?.Verdict is not (Verdict.Regressed or Verdict.Improved))
        {
            return file with { Outcome = ends.Row?.Verdict == Verdict.Unchanged ? BisectOutcome.NoDifference : BisectOutcome.Unclear };
        }

        var state = BisectState.Of(file, _results, lab.Config.Policy.Margin);
        if (Result(file, ProbeKind.Confirmation) is { } confirmed && Confirms(confirmed.Row, state.Change))
        {
            return file with { Outcome = BisectOutcome.Found };
        }

        if (state.Between is { } between)
        {
            lab.Terminal.Say($"{file.Commits[between].Id[..12]} is neither as good nor as bad: "
                + "more than one commit made the change; going on before it");
            return file with { SearchedUpTo = file.Commits[between].Id };
        }

        if (state.Search.Found is { } found)
        {
            return BisectState.AreTheEnds(file, found) ? file with { Outcome = BisectOutcome.Found }
                : BisectState.Confirmations(file, found).Count() < CommitSearch.MostConfirmations
                    ? await ProbeAsync(file, New(file, ProbeKind.Confirmation, found, ProvingRounds), cancellationToken)
                    : file with { Outcome = BisectOutcome.NotConfirmed };
        }

        var rounds = state.Change.RoundsOfAProbe;
        return state.Search.Next(commit => Seconds(file.Commits[commit], rounds)) is not { } next
            ? file with { Outcome = BisectOutcome.NothingToAsk }
            : lab.Terminal.Clock.GetElapsedTime(_began) >= budget ? file with { Outcome = BisectOutcome.OutOfBudget }
            : await ProbeAsync(file, New(file, ProbeKind.Search, (0, next), rounds), cancellationToken);
    }

    internal static bool Confirms(ComparedMetric? row, SoughtChange change) =>
        row?.Verdict == (change.Size > 0 ? Verdict.Regressed : Verdict.Improved)
        && Math.Abs(Math.Log(1 + (row.Change ?? 0))) >= CommitSearch.LeastShareOfStep * Math.Abs(change.Size);

    private double Seconds(BisectCommit commit, int rounds) => (rounds * _roundSeconds) + (commit.Build is null ? _buildSeconds : 0);

    private static BisectProbe New(BisectFile file, ProbeKind kind, (int Reference, int Commit) pair, int rounds) =>
        new(file.Probes.Select(probe => probe.Number).DefaultIfEmpty(0).Max() + 1, kind, pair.Reference, pair.Commit, rounds);

    private ProbeResult? Result(BisectFile file, ProbeKind kind) =>
        file.Probes.LastOrDefault(probe => probe.Kind == kind) is { } probe ? _results.GetValueOrDefault(probe.Number) : null;

    /// <summary>Builds and measures, or reads what an earlier run measured.</summary>
    private async Task<BisectFile> ProbeAsync(BisectFile file, BisectProbe probe, CancellationToken cancellationToken)
    {
        var plan = probes.Plan(file, probe);
        _roundSeconds = plan.Estimate.MostSeconds / probe.Rounds;
        if (probes.Read(probe, plan) is { } earlier)
        {
            return Judge(file, probe, earlier);
        }

        var commit = file.Commits[probe.Commit];
        lab.Terminal.Say(Invariant(
            $"probe {probe.Number}: {commit.Id[..12]}, {probe.Commit} of {file.Commits.Count - 1} after good, ")
            + Invariant($"against {file.Commits[probe.Reference].Id[..12]}, {probe.Rounds} rounds"));
        var started = lab.Terminal.Clock.GetTimestamp();
        var built = await probes.BuildAsync(plan, cancellationToken);
        _buildSeconds = commit.Build is null ? lab.Terminal.Clock.GetElapsedTime(started).TotalSeconds : _buildSeconds;
        RefuseWithoutEnds(file, probe, built);
        file = file.With(probe.Reference, known => known with { Build = built.Reference.Build?.Identity })
            .With(probe.Commit, known => known with
            {
                Build = built.Commit.Build?.Identity,
                Untestable = built.Commit.Unavailable ?? built.Commit.Failure,
            });
        if (built.Commit.Build is null)
        {
            return file; // BuildStep said why.
        }

        if (probe.Kind == ProbeKind.Search && BisectState.IsOfAnEnd(file, probe.Commit))
        {
            lab.Terminal.Say($"{commit.Id[..12]} builds the same bits as good or bad: nothing to measure");
            return file;
        }

        if (await SameAsync(file, probe, plan, built, cancellationToken) is { } same)
        {
            return file.With(probe.Commit, known => known with { SameAs = same });
        }

        file = file.Probes.Contains(probe) ? file : file with { Probes = [.. file.Probes, probe] };
        Save(file);
        return Judge(file, probe, await probes.MeasureAsync(probe, plan, built, cancellationToken));
    }

    /// <summary>
    /// Id of a commit from which nothing differs that is run here, where that can be proven without measuring: the probe's reference, or the
    /// nearest that was built before or after.
    /// </summary>
    private async Task<string?> SameAsync(BisectFile file, BisectProbe probe, RunPlan plan,
        (Building.BuildResult Reference, Building.BuildResult Commit) built, CancellationToken cancellationToken)
    {
        if (file.Commits[probe.Commit].SameAs is not null)
        {
            return null;
        }

        foreach (var other in Nearest(file, probe))
        {
            var pair = other == probe.Reference ? plan : probes.Pair(file, (other, probe.Commit), rounds: 1, file.Seed);
            if (await probes.SameAsync(pair, other == probe.Reference ? built : await probes.BuildAsync(pair, cancellationToken),
                cancellationToken) is not { } why)
            {
                continue;
            }

            if (probe.Kind == ProbeKind.Ends)
            {
                throw new LabException($"comparing {file.Good[..12]} with {file.Bad[..12]}",
                    $"no commit between them can have changed it: {why}",
                    "look for what differs elsewhere: machine, runtime, input; or where code lies in memory, which every build may change");
            }

            lab.Terminal.Say($"{file.Commits[probe.Commit].Id[..12]} is as {file.Commits[other].Id[..12]} here: {why}");
            return file.Commits[other].Id;
        }

        return null;
    }

    private static IEnumerable<int> Nearest(BisectFile file, BisectProbe probe)
    {
        bool IsBuilt(int index) => file.Commits[index] is { Build: not null, Untestable: null };
        var before = Enumerable.Range(0, probe.Commit).Reverse().Where(IsBuilt).Take(1);
        var after = Enumerable.Range(probe.Commit + 1, file.Commits.Count - probe.Commit - 1).Where(IsBuilt).Take(1);
        return [probe.Reference, .. before.Concat(after).Where(other => other != probe.Reference)];
    }

    /// <summary>Keeps what was measured, now or before the search was interrupted.</summary>
    /// <exception cref="LabException">Nothing was, and both commits have to run: the ends, or the culprit and the one before.</exception>
    private BisectFile Judge(BisectFile file, BisectProbe probe, ProbeResult result)
    {
        _results[probe.Number] = result;
        var why = result.Untestable
            ?? (probe.Kind != ProbeKind.Search && result.Row is { Verdict: Verdict.Failed } failed
                ? failed.Warnings is [var warning, ..] ? warning : "too many launches failed" : null);
        return why is null ? file
            : probe.Kind == ProbeKind.Search ? file.With(probe.Commit, known => known with { Untestable = why })
            : throw new LabException(
                $"measuring {file.Commits[probe.Commit].Id[..12]} against {file.Commits[probe.Reference].Id[..12]}", why,
                "both must run: see the launches in the probe's folder, or name other commits");
    }

    private static void RefuseWithoutEnds(
        BisectFile file, BisectProbe probe, (Building.BuildResult Reference, Building.BuildResult Commit) built)
    {
        var missing = new[] { (probe.Reference, built.Reference), (probe.Commit, built.Commit) }
            .FirstOrDefault(one => one.Item2.Build is null && (one.Item1 == 0 || one.Item1 == file.Commits.Count - 1)).Item2;
        if (missing is not null)
        {
            var which = missing == built.Reference ? file.Good : file.Bad;
            throw new LabException($"building {which[..12]}", missing.Unavailable ?? missing.Failure!,
                "good and bad must both build: name others with --good and --bad");
        }

        if (probe.Kind == ProbeKind.Ends && built.Reference.Build!.Identity == built.Commit.Build!.Identity)
        {
            throw new LabException($"comparing {file.Good[..12]} with {file.Bad[..12]}",
                "they build the same bits, so nothing that was committed between them changed the program",
                "look for what differs elsewhere: machine, runtime, packages, input");
        }
    }

    private void Save(BisectFile file) => SessionFolder.WriteWhole(Path.Combine(folder, "bisect.json"), BisectFile.File.Write(file));
}
