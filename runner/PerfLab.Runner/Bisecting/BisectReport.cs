using PerfLab.Core.Model;
using PerfLab.Core.Reporting.Text;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Rows;

namespace PerfLab.Runner.Bisecting;

/// <summary>What a search found, as Markdown that a terminal shows as well.</summary>
internal static class BisectReport
{
    private const int MostUntestable = 20;

    public static string Render(BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, double margin)
    {
        var text = new StringBuilder();
        var ends = Row(file, results, ProbeKind.Ends);
        text.Append(CultureInfo.InvariantCulture, $"**{Answer(file, results, margin)}**\n\n");
        text.Append(CultureInfo.InvariantCulture,
            $"{UntrustedText.Code(file.Target)}, good `{file.Good[..12]}`, bad `{file.Bad[..12]}`, ")
            .Append(CultureInfo.InvariantCulture, $"{file.Commits.Count - 1} commits after good: {Change(ends)}\n");
        Culprit(file, results, margin, text);
        GivenUp(file, results, margin, text);
        if (ends?.Verdict is Core.Statistics.Stages.Verdict.Regressed or Core.Statistics.Stages.Verdict.Improved)
        {
            Probes(file, results, BisectState.Of(file, results, margin), text);
        }

        var untestable = file.Commits.Where(commit => commit.Untestable is not null).ToList();
        if (untestable.Count > 0)
        {
            text.Append("\nCould not be tested, and were left out:\n\n");
            foreach (var commit in untestable.Take(MostUntestable))
            {
                text.Append(CultureInfo.InvariantCulture, $"- `{commit.Id[..12]}` {UntrustedText.Code(commit.Untestable!)}\n");
            }

            var more = untestable.Count - MostUntestable;
            text.Append(more > 0 ? Invariant($"- and {more} more, in bisect.json\n") : "");
        }

        return text.ToString();
    }

    private static string Answer(BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, double margin)
    {
        switch (file.Outcome)
        {
            case BisectOutcome.NoDifference:
                var least = Row(file, results, ProbeKind.Ends)?.SmallestDetectable;
                var seen = least is null ? "" : $" (could have seen {Percent.Of(least)})";
                return $"No difference between good and bad was found{seen}: there is nothing to search for";
            case BisectOutcome.Found:
                var (probe, confirmed) = Confirmed(file, results, margin)!.Value;
                var (good, bad) = (probe.Reference, probe.Commit);
                var made = $"{file.Commits[bad].Id[..12]} made it {Percent.InWords(confirmed.Change!.Value, confirmed.Unit)}";
                return good + 1 == bad ? made
                    : Invariant($"one of {bad - good} commits up to {made}: those between can't be tested");
            case BisectOutcome.NotConfirmed:
                var likely = file.Commits[Confirmed(file, results, margin)!.Value.Probe.Commit].Id[..12];
                return $"{likely} is the likeliest, but beside the commit before it nothing was found";
            default:
                var state = BisectState.Of(file, results, margin);
                var likeliest = state.Search.Likeliest;
                return Invariant($"Not sure yet: the likeliest is {file.Commits[likeliest.Bad].Id[..12]}, with a probability of ")
                    + $"{Percent.Of(Probability(state, likeliest))}";
        }
    }

    /// <summary>What was measured side by side, and whether it is all of the change.</summary>
    private static void Culprit(BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, double margin, StringBuilder text)
    {
        if (Confirmed(file, results, margin) is not { } confirmed)
        {
            return;
        }

        var (probe, row) = confirmed;
        var (good, bad) = (probe.Reference, probe.Commit);
        var called = file.Outcome == BisectOutcome.Found ? "Culprit" : "Likeliest";
        text.Append(CultureInfo.InvariantCulture, $"\n{called}: `{file.Commits[bad].Id}` {UntrustedText.Code(file.Commits[bad].Subject)}\n");
        text.Append(CultureInfo.InvariantCulture,
            $"\nMeasured beside `{file.Commits[good].Id[..12]}`, the last good one: {Change(row)}, ");
        text.Append(row.AdjustedP < 0.0001 ? "adjusted p below 0.0001" : Invariant($"adjusted p {row.AdjustedP:0.####}"))
            .Append(CultureInfo.InvariantCulture, $", verdict {Core.Files.Words.Of(row.Verdict!.Value)}.\n");
        if (file.Outcome != BisectOutcome.Found)
        {
            return;
        }

        // Both are measured, so both may be off: only intervals that do not meet show that something is left.
        var whole = Row(file, results, ProbeKind.Ends)!;
        var (wholeLog, partLog) = (Math.Log(1 + (whole.Change ?? 0)), Math.Log(1 + (row.Change ?? 0)));
        var isWhole = row.Low <= whole.High && whole.Low <= row.High;
        if (file.SearchedUpTo is not null || (!isWhole && Math.Abs(wholeLog - partLog) > Math.Log(1 + margin)))
        {
            var before = good > 0 ? $" and `--good {file.Good[..12]} --bad {file.Commits[good].Id[..12]}`" : "";
            text.Append("\nThat is not all of it: at least one more commit changed it. Search on with ")
                .Append(CultureInfo.InvariantCulture,
                    $"`./perf-lab bisect … --good {file.Commits[bad].Id[..12]} --bad {file.Bad[..12]}`{before}.\n");
        }
    }

    /// <summary>Commits that were likeliest on the way, and did not differ from the one before.</summary>
    private static void GivenUp(BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, double margin, StringBuilder text)
    {
        var answer = Confirmed(file, results, margin)?.Probe;
        foreach (var probe in file.Probes.Where(
            probe => probe.Kind == ProbeKind.Confirmation && probe != answer && results.ContainsKey(probe.Number)))
        {
            text.Append(CultureInfo.InvariantCulture, $"\n`{file.Commits[probe.Commit].Id[..12]}` was the likeliest before; ")
                .Append(CultureInfo.InvariantCulture,
                    $"beside `{file.Commits[probe.Reference].Id[..12]}` nothing was found: {Change(results[probe.Number].Row)}.\n");
        }
    }

    private static void Probes(BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, BisectState state, StringBuilder text)
    {
        text.Append("\n| commit | subject | rounds | change against good | probability of being the culprit |\n|---|---|--:|--:|--:|\n");
        var unit = Row(file, results, ProbeKind.Ends)!.Unit;
        for (var index = 1; index < state.Search.Probabilities.Count; index++)
        {
            double[] differences = [.. BisectState.Differences(file, results, index)];
            var probability = state.Search.Probabilities[index];
            if (differences.Length == 0 && probability < 0.01)
            {
                continue;
            }

            var change = differences.Length == 0 ? "-"
                : Percent.Change(Math.Exp(new WalshAverages(differences).Centre) - 1, null, null, unit);
            var commit = file.Commits[index];
            text.Append(CultureInfo.InvariantCulture, $"| `{commit.Id[..12]}` | {UntrustedText.Code(commit.Subject)} | ")
                .Append(CultureInfo.InvariantCulture, $"{differences.Length} | {change} | {Percent.Of(probability)} |\n");
        }

        var launches = file.Probes.Sum(probe => 2 * (results.GetValueOrDefault(probe.Number)?.Differences.Count ?? 0));
        text.Append(CultureInfo.InvariantCulture, $"\n{file.Probes.Count} probes, {launches} launches that counted.\n");
    }

    private static string Change(ComparedMetric? row) => row is null ? "not measured"
        : $"{Percent.Change(row.Change, row.Low, row.High, row.Unit)} (+ is {Percent.Worse(row.Unit)})";

    private static double Probability(BisectState state, (int Good, int Bad) pair) =>
        Enumerable.Range(pair.Good + 1, pair.Bad - pair.Good).Sum(commit => state.Search.Probabilities[commit]);

    /// <summary>The answer's two neighbours, as measured side by side; null where the search ended without.</summary>
    private static (BisectProbe Probe, ComparedMetric Row)? Confirmed(
        BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, double margin)
    {
        var probe = file.Outcome switch
        {
            BisectOutcome.Found => file.Probes.Last(one => one.Kind == ProbeKind.Confirmation),
            BisectOutcome.NotConfirmed => BisectState.Confirmation(file, BisectState.Of(file, results, margin).Search.Likeliest),
            _ => null,
        };
        return probe is not null && results[probe.Number].Row is { } row ? (probe, row) : null;
    }

    private static ComparedMetric? Row(BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, ProbeKind kind) =>
        file.Probes.LastOrDefault(probe => probe.Kind == kind) is { } probe ? results.GetValueOrDefault(probe.Number)?.Row : null;
}
