using PerfLab.Core.Bisecting;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Bisecting;

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
            return found == (0, file.Commits.Count - 1) ? file with { Outcome = BisectOutcome.Found }
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

        file = file.Probes.Contains(probe) ? file : file with { Probes = [.. file.Probes, probe] };
        Save(file);
        return Judge(file, probe, await probes.MeasureAsync(probe, plan, built, cancellationToken));
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

/// <summary>What file and journals say together.</summary>
/// <param name="Change">That is searched for.</param>
/// <param name="Between">Index of a commit that is neither as good nor as bad, where one is known and not yet searched up to.</param>
internal sealed record BisectState(SoughtChange Change, CommitSearch Search, int? Between)
{
    /// <param name="file">The search.</param>
    /// <param name="results">What its probes measured, by number.</param>
    /// <param name="margin">A fraction: the smallest change that matters.</param>
    public static BisectState Of(BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, double margin)
    {
        var ends = results[file.Probes.First(probe => probe.Kind == ProbeKind.Ends).Number];
        double[] differences = [.. ends.Differences];
        var whole = differences;
        var change = new SoughtChange(new WalshAverages(differences).Centre, Noise.Of(differences) ?? 0);
        var last = Last(file);
        List<CommitEvidence> evidence = [.. Enumerable.Range(0, last + 1).Select(index => Evidence(file, results, index))];
        if (last < file.Commits.Count - 1)
        {
            whole = [.. evidence[last].Differences];
            change = change with { Size = new WalshAverages(whole).Centre };
        }

        StepEvidence[] steps = [.. file.Probes
            .Where(probe => probe.Kind == ProbeKind.Confirmation && probe.Reference < last && results.ContainsKey(probe.Number))
            .Select(probe => new StepEvidence(probe.Reference, probe.Commit, results[probe.Number].Differences))];
        return new(change, new(change, evidence, steps), CommitSearch.Between(whole, evidence, Math.Log(1 + margin)));
    }

    /// <summary>The probes that measured the two side by side.</summary>
    public static IEnumerable<BisectProbe> Confirmations(BisectFile file, (int Good, int Bad) pair) => file.Probes.Where(
        probe => probe.Kind == ProbeKind.Confirmation && (probe.Reference, probe.Commit) == pair);

    /// <summary>Paired log ratios of a commit and good, of all probes of the search.</summary>
    public static IEnumerable<double> Differences(BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, int index) => file.Probes
        .Where(probe => probe.Kind == ProbeKind.Search && probe.Commit == index && results.ContainsKey(probe.Number))
        .SelectMany(probe => results[probe.Number].Differences);

    /// <summary>Whether the commit's bits are those of good, or of the commit that is searched up to.</summary>
    public static bool IsOfAnEnd(BisectFile file, int commit) => file.Commits[commit].Build is { } build
        && (build == file.Commits[0].Build || build == file.Commits[Last(file)].Build);

    private static int Last(BisectFile file) => file.Commits.ToList().FindIndex(commit => commit.Id == (file.SearchedUpTo ?? file.Bad));

    private static CommitEvidence Evidence(BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, int index) => new()
    {
        Differences = [.. Differences(file, results, index)],
        IsUntestable = file.Commits[index].Untestable is not null,
        Build = file.Commits[index].Build,
    };
}

internal static class BisectChange
{
    /// <summary>The file with one of its commits changed.</summary>
    public static BisectFile With(this BisectFile file, int index, Func<BisectCommit, BisectCommit> change) =>
        file with { Commits = [.. file.Commits.Select((commit, at) => at == index ? change(commit) : commit)] };
}
