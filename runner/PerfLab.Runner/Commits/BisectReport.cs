using PerfLab.Core.Trends;
using PerfLab.Core.Model;
using PerfLab.Reports.Text;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Runner.Commits;

/// <summary>What a search found, as Markdown that a terminal shows as well.</summary>
internal static class BisectReport
{
    private const int MostUntestable = 20;

    /// <param name="program">How the person started perf-lab: commands that the report suggests begin with it.</param>
    public static string Render(BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, double margin, string program)
    {
        var text = new StringBuilder();
        var ends = Row(file, results, ProbeKind.Ends);
        text.Append(CultureInfo.InvariantCulture, $"**{Answer(file, results, margin)}**\n\n");
        text.Append(CultureInfo.InvariantCulture,
            $"{UntrustedText.Code(file.Target)}, good `{file.Good[..12]}`, bad `{file.Bad[..12]}`, ")
            .Append(CultureInfo.InvariantCulture, $"{file.Commits.Count - 1} commits after good: {Change(ends)}\n");
        Culprit(file, results, margin, program, text);
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
                return $"No difference between good and bad was found{Seen(Row(file, results, ProbeKind.Ends))}: "
                    + "there is nothing to search for";
            case BisectOutcome.Unclear:
                return Row(file, results, ProbeKind.Ends) is { Verdict: Verdict.NotSteady } restless
                    ? $"Whether good and bad differ could not be told: {Restless(restless)}"
                    : "Whether good and bad differ could not be told"
                    + $"{Seen(Row(file, results, ProbeKind.Ends))}: on a quieter machine, or with commits further apart, it may be";
            case BisectOutcome.Found:
                var (probe, confirmed) = Confirmed(file, results, margin)!.Value;
                var untested = probe.Reference + 1 == probe.Commit ? "" : ": those between can't be tested";
                return $"{Named(file, probe)} made it {Percent.InWords(confirmed.Change!.Value, confirmed.Unit)}{untested}";
            case BisectOutcome.NotConfirmed:
                return $"{Named(file, Confirmed(file, results, margin)!.Value.Probe)} is the likeliest, "
                    + "but beside the last good one the change was not proven";
            default:
                var probabilities = BisectState.Of(file, results, margin).Search.Probabilities;
                var (first, last) = Among(probabilities);
                var likeliest = Enumerable.Range(first, last - first + 1).MaxBy(commit => probabilities[commit]);
                return Invariant($"Not sure yet: with {100 * CommitSearch.Sure:0} % one of the {last - first + 1} commits from ")
                    + $"{file.Commits[first].Id[..12]} to {file.Commits[last].Id[..12]}, "
                    + $"the likeliest {file.Commits[likeliest].Id[..12]} with {Share(probabilities[likeliest])}"
                    + (file.Outcome == BisectOutcome.NothingToAsk ? "; no measurement tells them apart" : "");
        }
    }

    private static string Named(BisectFile file, BisectProbe probe) =>
        (probe.Commit - probe.Reference is > 1 and var several ? Invariant($"one of {several} commits up to ") : "")
        + file.Commits[probe.Commit].Id[..12];

    private static string Seen(ComparedMetric? row) =>
        row?.SmallestDetectable is { } least ? $" (could have seen {Percent.Of(least)})" : "";

    /// <summary>The shortest run of commits that the culprit is surely among.</summary>
    private static (int First, int Last) Among(IReadOnlyList<double> probabilities)
    {
        var (shortest, first, sum) = ((First: 1, Last: probabilities.Count - 1), 1, 0.0);
        for (var last = 1; last < probabilities.Count; last++)
        {
            sum += probabilities[last];
            while (sum - probabilities[first] >= CommitSearch.Sure)
            {
                sum -= probabilities[first++];
            }

            if (sum >= CommitSearch.Sure && last - first < shortest.Last - shortest.First)
            {
                shortest = (first, last);
            }
        }

        return shortest;
    }

    /// <summary>A probability; none is called certain.</summary>
    private static string Share(double probability) => probability > 0.999 ? "over 99.9 %" : Percent.Of(probability);

    /// <summary>What was measured side by side, and whether it is all of the change.</summary>
    private static void Culprit(
        BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, double margin, string program, StringBuilder text)
    {
        if (Confirmed(file, results, margin) is not { } confirmed)
        {
            return;
        }

        var (probe, row) = confirmed;
        var (good, bad) = (probe.Reference, probe.Commit);
        var called = file.Outcome == BisectOutcome.Found ? "Culprit" : "Likeliest";
        text.Append(CultureInfo.InvariantCulture,
            $"\n{called}: `{file.Commits[bad].Id}` {UntrustedText.Code(file.Commits[bad].Subject)}\n");
        var last = $"`{file.Commits[good].Id[..12]}`, the last good one";
        var measured = probe.Kind != ProbeKind.Ends ? $"Measured beside {last}"
            : (good, bad) == (0, file.Commits.Count - 1) ? $"Measured beside {last}, as above"
            : $"Of what is measured here, {last}, is the same as good, and it is the same as bad; those were measured above";
        text.Append(CultureInfo.InvariantCulture, $"\n{measured}: {Change(row)}");
        if (row.Verdict == Verdict.NotSteady)
        {
            text.Append(".\n");
            return;
        }

        text.Append(", ");
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
            text.Append("\nThat is not all of it: at least one more commit changed it. Search on with\n\n    ")
                .Append(Command(program, file, bad, file.Commits.Count - 1)).Append('\n');
            if (good > 0)
            {
                text.Append("    ").Append(Command(program, file, 0, good)).Append('\n');
            }
        }
    }

    /// <summary>A search between two other commits of the line.</summary>
    private static string Command(string program, BisectFile file, int good, int bad)
    {
        IEnumerable<string> words = [
            file.Target,
            .. file.Set.SelectMany(value => new[] { "--set", $"{value.Key}={string.Join(',', value.Value)}" }),
            .. file.Filters.SelectMany(filter => new[] { "--filter", filter }),
            .. file.Feeds.SelectMany(feed => new[] { "--feed", feed }),
            .. file.WarmUpSeconds is { } seconds ? new[] { "--warm-up", seconds.ToString(CultureInfo.InvariantCulture) } : [],
            "--executor", file.Executor, "--good", file.Commits[good].Id[..12], "--bad", file.Commits[bad].Id[..12],
        ];
        return $"{program} bisect {string.Join(' ', words.Select(ShellWord.Of))}";
    }

    /// <summary>Commits that were likeliest on the way, and beside the one before were not proven to differ.</summary>
    private static void GivenUp(BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, double margin, StringBuilder text)
    {
        var answer = Confirmed(file, results, margin)?.Probe;
        foreach (var probe in file.Probes.Where(
            probe => probe.Kind == ProbeKind.Confirmation && probe != answer && results.ContainsKey(probe.Number)))
        {
            text.Append(CultureInfo.InvariantCulture, $"\n`{file.Commits[probe.Commit].Id[..12]}` was taken for it; ")
                .Append(CultureInfo.InvariantCulture,
                    $"beside `{file.Commits[probe.Reference].Id[..12]}` that was not proven: {Change(results[probe.Number].Row)}.\n");
        }
    }

    private static void Probes(BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, BisectState state, StringBuilder text)
    {
        text.Append("\n| commit | subject | rounds | change against good | probability of being the culprit |\n|---|---|--:|--:|--:|\n");
        var unit = Row(file, results, ProbeKind.Ends)!.Unit;
        for (var index = 1; index < file.Commits.Count; index++)
        {
            double[] differences = [.. BisectState.Differences(file, results, index)];
            // After the one that is searched up to, there is something else.
            double? probability = index < state.Search.Probabilities.Count ? state.Search.Probabilities[index] : null;
            if (differences.Length == 0 && !(probability >= 0.01))
            {
                continue;
            }

            var change = differences.Length == 0 ? "-"
                : Percent.Change(Math.Exp(new WalshAverages(differences).Centre) - 1, null, null, unit);
            var commit = file.Commits[index];
            text.Append(CultureInfo.InvariantCulture, $"| `{commit.Id[..12]}` | {UntrustedText.Code(commit.Subject)} | ")
                .Append(CultureInfo.InvariantCulture, $"{differences.Length} | {change} | {(probability is { } of ? Share(of) : "-")} |\n");
        }

        var launches = file.Probes.Sum(probe => 2 * (results.GetValueOrDefault(probe.Number)?.Differences.Count ?? 0));
        var same = file.Commits.Count(commit => commit.SameAs is not null);
        text.Append(same == 0 ? "" : Invariant($"\n{same} {(same == 1 ? "commit was" : "commits were")} built and not measured: ")
            + "nothing that it runs differs from a commit that was ([selection](docs/selection.md)).\n");
        text.Append(CultureInfo.InvariantCulture, $"\n{file.Probes.Count} {(file.Probes.Count == 1 ? "probe" : "probes")}, ")
            .Append(CultureInfo.InvariantCulture, $"{launches} launches that counted.\n");
    }

    private static string Restless(ComparedMetric row) => "their programs were still warming up when they were measured "
        + (row.WarmUpSeconds is { } seconds ? Invariant($"(try --warm-up {seconds:0})") : "and never came to rest");

    private static string Change(ComparedMetric? row) => row is null ? "not measured"
        : row.Verdict == Verdict.NotSteady ? $"nothing is known, {Restless(row)}"
        : $"{Percent.Change(row.Change, row.Low, row.High, row.Unit)} (+ is {Percent.Worse(row.Unit)})";

    /// <summary>The answer's two neighbours, as measured side by side (as good and bad, if need be); null without an answer.</summary>
    public static (BisectProbe Probe, ComparedMetric Row)? Confirmed(
        BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, double margin)
    {
        if (file.Outcome is not (BisectOutcome.Found or BisectOutcome.NotConfirmed))
        {
            return null;
        }

        var pair = BisectState.Of(file, results, margin).Search.Likeliest;
        var probe = BisectState.Confirmations(file, pair).LastOrDefault() ?? (file.Outcome == BisectOutcome.NotConfirmed ? null
            : file.Probes.First(one => one.Kind == ProbeKind.Ends) with { Reference = pair.Good, Commit = pair.Bad });
        return probe is not null && results[probe.Number].Row is { } row ? (probe, row) : null;
    }

    private static ComparedMetric? Row(BisectFile file, IReadOnlyDictionary<int, ProbeResult> results, ProbeKind kind) =>
        file.Probes.LastOrDefault(probe => probe.Kind == kind) is { } probe ? results.GetValueOrDefault(probe.Number)?.Row : null;
}
