using System.Diagnostics;
using PerfLab.Calibration;
using PerfLab.Calibration.Published;
using PerfLab.Calibration.Years;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Steady;
using static System.FormattableString;

var (options, problem) = Options.Parse(args);
if (options is null)
{
    Console.Error.WriteLine(problem);
    return 2;
}

return options switch
{
    { Journal: true } => Journal(options),
    { Fleet: true } => Fleet(options),
    { Budget: true } => Print(SmallSteps.Lines(options.Seed, 2000)),
    { Quarters: true } => Print(Quarters.Lines(options.Seed, 200)),
    { Year: true } => OneYear(options),
    { Cusum: true } => Cusum(),
    { Steps: true } => Print(StepBounds.Lines(new(options.Size, options.Seed))),
    { Detectable: true } => Detectable(options),
    { Series: { } path } => Series(path, options.Seed),
    _ => Figures(options),
};

static int Figures(Options options)
{
    var clock = Stopwatch.StartNew();
    var run = new Run(options.Size, options.Seed, new ProgressLine(Console.Error).Report);
    var figures = string.Join(',', options.Only);
    Console.WriteLine(Invariant($"PerfLab.Calibration --size {options.Size.Name} --seed {options.Seed} --only {figures}"));
    Console.WriteLine(Invariant($"{options.Size.Comparisons} comparisons a row of G1 and G3, {options.Size.PowerComparisons} of G2, ")
        + Invariant($"{options.Size.Cells} cells a row of G4 and G5; {Machine.Describe()}"));
    Console.WriteLine();
    Console.WriteLine("| # | case | aim | measured | bound | |");
    Console.WriteLine("|---|---|---|---|---|---|");
    var (missed, known) = (0, 0);
    foreach (var row in FigureTable.Rows(run, options.Only))
    {
        missed += row.Passed || row.KnownMiss ? 0 : 1;
        known += row.KnownMiss ? 1 : 0;
        Console.WriteLine(FigureTable.Line(row));
    }

    Console.WriteLine();
    Console.WriteLine(Invariant($"{missed} missed, {known} more known and told of in results/figures.md; {clock.Elapsed.TotalSeconds:0} s"));
    return missed == 0 ? 0 : 1;
}

static int Detectable(Options options)
{
    Console.WriteLine(Invariant($"seed {options.Seed}, {options.DetectableCells} cells; rows: pairs; columns: ")
        + string.Join(' ', DetectableTable.MarginToNoise.Select(ratio => Invariant($"{ratio}"))));
    foreach (var policy in new[] { new Policy(), new Policy { ScreenRounds = 0 }, new Policy { ScreenRounds = 10, ConfirmRounds = 30 } })
    {
        Console.WriteLine(Invariant($"{policy.ScreenRounds}+{policy.ConfirmRounds}:"));
        var table = new DetectableTable(policy, options.Seed, options.DetectableCells).Simulate();
        for (var row = 0; row < table.Length; row++)
        {
            var factors = string.Join(", ", table[row].Select(value => Invariant($"{value:0.000}")));
            Console.WriteLine(Invariant($"[{factors}], // {DetectableTable.Pairs[row]}"));
        }
    }

    return 0;
}

static int Fleet(Options options)
{
    FleetTable.Write(options.Seed, Console.Out);
    return 0;
}

static int OneYear(Options options)
{
    Console.Write(YearText.Of(Year.Replay(new() { Seed = options.Seed })));
    return 0;
}

static int Series(string path, ulong seed)
{
    var (lines, wrong) = Directory.Exists(path) ? LabelledTable.Of(path, seed) : SeriesFile.Rows(path, seed);
    foreach (var line in lines)
    {
        Console.WriteLine(line);
    }

    if (wrong is not null)
    {
        Console.Error.WriteLine(wrong);
    }

    return wrong is null ? 0 : 2;
}

static int Cusum()
{
    var bounds = RankCusumBound.Counts.AsParallel().AsOrdered().Select(count => (count, RankCusumSimulation.Bounds(count, RankCusumSimulation.Permutations, RankCusumSimulation.Seed)));
    foreach (var (count, (bound, rare)) in bounds)
    {
        Console.WriteLine(Invariant($"({count}, {bound:0.0000}, {rare:0.0000}),"));
    }

    return 0;
}

static int Print(IEnumerable<string> lines)
{
    foreach (var line in lines)
    {
        Console.WriteLine(line);
    }

    return 0;
}

static int Journal(Options options)
{
    var session = SpeedProbe.Session(500, options.Seed);
    using var output = new BufferedStream(Console.OpenStandardOutput(), 1 << 20);
    output.Write(JournalLine.Of(0, session.Header));
    foreach (var (index, launch) in session.Launches.Index())
    {
        output.Write(JournalLine.Of(index + 1, launch));
    }

    output.Write(JournalLine.Of(session.Launches.Count + 1, new SessionEnd("complete")));
    return 0;
}
