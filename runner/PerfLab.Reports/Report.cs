using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Reports.Curves;
using PerfLab.Reports.Text;

namespace PerfLab.Reports;

/// <summary>What is to be said about a session, in the order in which it needs attention. Renderers only lay it out.</summary>
public sealed record Report
{
    /// <summary>A difference of half a per cent is seen without a calculator.</summary>
    private const double Readable = 0.005;

    public required Comparison Comparison { get; init; }

    /// <summary>"3 regressed, 1 improved, no change found in 196 (would have seen 1.3 % in most)".</summary>
    public required string Headline { get; init; }

    /// <summary>True when no row has a reference: values and noise, no verdicts.</summary>
    public required bool IsOneArm { get; init; }

    /// <summary>True when rows are about different arms, so that "base" and "head" would not name them.</summary>
    public bool HasSeveralArms => Rows.Select(row => row.Figures.Arm).Distinct(StringComparer.Ordinal).Skip(1).Any();

    /// <summary>True when rows were measured on several machines, so that each says on which.</summary>
    public bool IsSharded => Rows.Any(row => row.Figures.Shard is not null);

    /// <summary>Primary metrics: regressed, failed, improved, without an answer, undecided, unavailable or alone, unchanged,
    /// identical; the largest change first, then the least p of what has no answer, then plan order.</summary>
    public required IReadOnlyList<ReportRow> Rows { get; init; }

    /// <summary>What a row is called: "benchmark", or "cell" where not every one is a benchmark of BenchmarkDotNet.</summary>
    public string RowWord { get; init; } = "cell";

    /// <summary>Whether rows count their bytes.</summary>
    public bool HasBytes => Rows.Any(row => row.Bytes is not null);

    /// <summary>Metrics without a verdict, in plan order; of what was not measured the primary one says it all, and counted bytes stand
    /// beside it.</summary>
    public required IReadOnlyList<ReportRow> OtherMetrics { get; init; }

    /// <summary>Said where a reader who divides the two values would think the change wrong; else null.</summary>
    public string? AboutChanges => Rows.Any(row =>
        row.Figures is { Change: > -1 and var change, ReferenceValue: > 0 and var from, ArmValue: > 0 and var to }
            && Math.Abs(Math.Abs(Math.Log(to / from)) - Math.Abs(Math.Log(1 + change))) > Readable)
        ? "Values are medians of each side, changes are of pairs of launches: where launches vary, one does not follow from the other."
        : null;

    /// <summary>Rows that were flagged and measured again, and what each session said of them.</summary>
    public IReadOnlyList<RepeatedRow> Repeated => RepeatedRow.Of(this);

    /// <summary>Where rows stand since the anchor; empty without a budget or a history.</summary>
    public IReadOnlyList<BudgetLine> Budget => BudgetLine.Of(this);

    /// <summary>Rows that were explained, and what changed in each.</summary>
    public IReadOnlyList<ExplanationRow> Why => ExplanationRow.Of(this);

    /// <summary>What differs between the builds and which rows run it, a line each; empty where nobody looked. Untrusted.</summary>
    public IReadOnlyList<string> Selection => SelectionLines.Of(this);

    /// <summary>What BenchmarkDotNet says of its rows; empty where it measured nothing, or the journal is not at hand.</summary>
    public IReadOnlyList<BenchmarkNote> BenchmarkNotes { get; init; } = [];

    /// <summary>Curves of a sweep: one or more when a dimension has three values or more, and the journal is at hand.</summary>
    public IReadOnlyList<Curve> Curves { get; init; } = [];

    /// <summary>What reference and arm are called; null when cells disagree or nobody said. Untrusted.</summary>
    public string? Base { get; init; }
    public string? Head { get; init; }

    /// <summary>Machine, executor, session and plan, one (name, value) a line. Values are untrusted.</summary>
    public required IReadOnlyList<(string Name, string Value)> Facts { get; init; }

    /// <summary>What the machine was like; null when nobody looked.</summary>
    public HygieneNote? Hygiene { get; init; }

    /// <summary>Doubts about the whole session, the executor's first. Untrusted.</summary>
    public required IReadOnlyList<string> Warnings { get; init; }

    /// <summary>"False-flag budget of this report: 1 %. A/A: not yet measured."</summary>
    public required string FalseFlagBudget { get; init; }

    /// <summary>The policy as used and where it came from, on one line.</summary>
    public required string Policy { get; init; }

    /// <summary>"change (95 %)", with the coverage of the intervals; "change" in a quick look of too few rounds for one.</summary>
    public string ChangeTitle =>
        IsQuickLook && Rows.Concat(OtherMetrics).All(row => row.Figures.Low is null) ? "change" : $"change ({Coverage})";

    /// <summary>"95 %": the least coverage of the intervals.</summary>
    public string Coverage => Percent.Constant(Comparison.Policy.Interval);

    /// <summary>A direction and no verdict was asked for: what was tested, and what could have been found, says nothing then.</summary>
    public bool IsQuickLook => PolicyRules.ShowDirectionOnly(Comparison.Policy);

    /// <summary>Doubts about single rows, each sentence once for all the rows that it is about.</summary>
    public IReadOnlyList<RowDoubt> Doubts
    {
        get
        {
            var rows = Rows.Concat(OtherMetrics).ToList();
            var arms = rows.ToLookup(row => (row.Cell, row.Figures.Metric), row => row.Figures.Arm);
            return [.. rows.SelectMany(row => row.Warnings.Select(warning => (Row: row, Warning: warning)))
                .GroupBy(pair => (pair.Row.Cell, pair.Row.Figures.Metric, pair.Warning))
                .Select(doubt => (Doubt: doubt, Arms: doubt.Select(pair => pair.Row.Figures.Arm).ToList()))
                .Select(pair => new RowDoubt(
                    [
                        pair.Doubt.Key.Cell,
                        .. pair.Arms.Count < arms[(pair.Doubt.Key.Cell, pair.Doubt.Key.Metric)].Count() ? pair.Arms : [],
                        .. pair.Doubt.First().Row.Figures.Primary ? Array.Empty<string>() : [pair.Doubt.Key.Metric],
                    ],
                    pair.Doubt.Key.Warning))];
        }
    }

    public static Report From(Comparison comparison, ReportContext? context = null)
    {
        var known = context ?? ReportContext.None;
        var labels = new CellLabels(known.Cells);
        var pairs = new PairedRounds(known.Samples);
        var launches = known.Launches.ToLookup(launch => launch.Cell, StringComparer.Ordinal);
        var primary = comparison.Cells.Where(figures => figures.Primary).ToList();
        var isOneArm = Reports.Headline.IsOneArm(primary);
        var bytes = comparison.Cells.Where(figures => !figures.Primary && Allocations.IsOf(figures))
            .DistinctBy(figures => new RowKey(figures.Cell, figures.Arm))
            .ToDictionary(figures => new RowKey(figures.Cell, figures.Arm));
        return new Report
        {
            Comparison = comparison,
            // Never the file's own: it may come from anywhere, and this is read as markup.
            Headline = Reports.Headline.Of(comparison, known.Cells),
            IsOneArm = isOneArm,
            RowWord = Text.RowWord.Of(known.Cells),
            Rows = [.. primary.Select(figures => Row(figures) with
                {
                    Failures = LaunchFailure.Of(launches[figures.Cell], figures.Arm, figures.Reference),
                    Reproduce = ReproduceRow(figures, comparison, known, isElsewhere: false),
                    Elsewhere = ReproduceRow(figures, comparison, known, isElsewhere: true),
                    Measured = pairs.Of(figures),
                    Alone = pairs.Alone(figures),
                    Bytes = bytes.GetValueOrDefault(new RowKey(figures.Cell, figures.Arm)),
                }).OrderBy(Urgency).ThenByDescending(Size).ThenBy(Doubt)],
            OtherMetrics = [.. comparison.Cells
                .Where(figures => !figures.Primary && !IsNothing(figures) && !IsShown(figures)
                    && (figures.Rounds > 0 || figures.Warnings.Count > 0))
                .Select(Row)],
            BenchmarkNotes = [.. known.Cells.SelectMany(cell => BenchmarkNote.Of(cell, labels.Of(cell.Id), launches[cell.Id]))],
            Curves = known.Samples is { } samples ? SessionCurves.Of(samples, comparison) : [],
            Base = isOneArm ? null : known.Base ?? Dimensions(known.Cells, primary.Select(figures => (figures.Cell, figures.Reference ?? ""))),
            Head = known.Head ?? Dimensions(known.Cells, primary.Select(figures => (figures.Cell, figures.Arm))),
            Facts = ReportFacts.Of(comparison, known),
            Hygiene = known.Hygiene,
            Warnings = [.. known.ExecutorWarnings, .. comparison.Warnings],
            FalseFlagBudget = ReportNotes.Budget(comparison),
            Policy = ReportNotes.Of(comparison.Policy),
        };

        ReportRow Row(ComparedMetric figures) => ReportRow.From(figures, labels.Of(figures.Cell), known.Find(figures.Cell));
    }

    /// <summary>A benchmark that collects nothing in both arms: three rows of zeros for each would bury the others.</summary>
    private static bool IsNothing(ComparedMetric figures) =>
        BenchmarkCases.Generations.Contains(figures.Metric, StringComparer.Ordinal) && figures.ArmValue is 0
        && figures.ReferenceValue is 0 or null;

    /// <summary>Bytes stand beside the time of their row.</summary>
    private static bool IsShown(ComparedMetric figures) => Allocations.IsOf(figures) && figures.Warnings.Count == 0;

    private static int Urgency(ReportRow row) => row.Figures.Verdict switch
    {
        Verdict.Regressed => 0,
        Verdict.Failed => 1,
        _ when row.Bytes is { } bytes && Allocations.Moved(bytes) > 0 => 0,
        Verdict.Improved => 2,
        Verdict.TooNoisy or Verdict.DoesNotHold or Verdict.NotSteady => 3,
        null => row.Figures.Equal == true ? 7 : row.Figures.Reference is null ? 5 : 3,
        Verdict.Undecided => 4,
        Verdict.Unavailable => 5,
        Verdict.Unchanged => 6,
        _ => 8,
    };

    // Only where the change is real: sorting undecided rows by it would rank noise.
    private static double Size(ReportRow row) =>
        row.Figures is { Verdict: Verdict.Regressed or Verdict.Improved, Change: { } change } ? Math.Abs(Math.Log(1 + change)) : 0;

    // Among rows without an answer, the one that is least likely to be nothing.
    private static double Doubt(ReportRow row) =>
        row.Figures is { Verdict: Verdict.TooNoisy or Verdict.DoesNotHold or Verdict.Undecided, PValue: { } p } ? p : 1;

    private static string? ReproduceRow(ComparedMetric figures, Comparison comparison, ReportContext context, bool isElsewhere)
    {
        if (context.Reproduce.TryGetValue(new RowKey(figures.Cell, figures.Arm), out var line))
        {
            return line;
        }

        // What was not measured, for lack of a package or because nothing differs, would not be measured again either.
        if (context.Executor == JournalWords.Imported || context.NotFound.Contains(figures.Cell))
        {
            return null;
        }

        if (figures.Verdict is Verdict.Unavailable or Verdict.IdenticalBuild or Verdict.Untouched || context.Find(figures.Cell) is not { } cell)
        {
            return null;
        }

        var plan = context.Plan(cell.Id);
        // Elsewhere usual rounds are left out, and a row alone has no screen by itself.
        return isElsewhere ? ReproduceLine.For(cell, figures.Arm, comparison.Policy, plan.Elsewhere)
            : ReproduceLine.For(cell, figures.Arm, AsMeasured(comparison), plan);
    }

    /// <summary>Where the choice of rows left so few that they had no screen, none shows one.</summary>
    private static Policy AsMeasured(Comparison comparison) =>
        comparison.Summary is { Untouched: 0, IdenticalBuild: 0 } || comparison.Cells.Any(row => row.Stage == Stage.Screen)
        ? comparison.Policy : comparison.Policy with { ScreenRounds = 0 };

    private static string? Dimensions(IReadOnlyList<Cell> cells, IEnumerable<(string Cell, string Arm)> arms)
    {
        var wanted = arms.ToHashSet();
        var names = cells.SelectMany(cell => cell.Arms.Where(arm => wanted.Contains((cell.Id, arm.Id))).Select(arm => ArmName.Of(cell, arm)))
            .Distinct(StringComparer.Ordinal).Take(2).ToList();
        return names is [{ Length: > 0 } single] ? single : null;
    }
}

/// <summary>A doubt about one row or several.</summary>
/// <param name="Names">The cell, its arms when the doubt is not about all of them, the metric when it is not the primary one. Untrusted.</param>
/// <param name="Text">One sentence. Untrusted: it may quote a journal.</param>
public sealed record RowDoubt(IReadOnlyList<string> Names, string Text);
