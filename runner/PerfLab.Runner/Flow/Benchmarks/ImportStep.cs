using System.Security.Cryptography;
using System.Text.RegularExpressions;
using PerfLab.Core.Files;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Launching.Results;
using PerfLab.Programs;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow.Benchmarks;

/// <summary>
/// Reports of BenchmarkDotNet that were made elsewhere -> journal. The first launch of base stands beside the first of head. What nobody
/// saw is not claimed: no build, no runtime, no knobs, no order.
/// </summary>
internal sealed partial class ImportStep(TimeProvider clock)
{
    private const string Base = "base", Head = "head";

    /// <summary>Where several jobs of a report are rows, or arms.</summary>
    private const string Job = "job";

    /// <summary>The journal as bytes.</summary>
    /// <param name="session">Its name.</param>
    /// <param name="reference">Reports of the reference; none: values without a comparison, unless a job is compared with.</param>
    /// <param name="head">Reports of what is compared with it.</param>
    /// <param name="baseJob">The job of <paramref name="head"/> that their others are compared with; null: reports are.</param>
    public byte[] Make(string session, IReadOnlyList<string> reference, IReadOnlyList<string> head, string? baseJob = null)
    {
        var reports = reference.Select(path => Read(Base, path)).Concat(head.Select(path => Read(Head, path))).ToList();
        var reported = Named([.. reports.SelectMany(report => report.Benchmarks.Select(benchmark => new Reported(report, benchmark)))]);
        var arms = baseJob is null ? Sides(reference.Count > 0) : Jobs(reported, baseJob);
        var placed = reported.ToLookup(one => one.Key(baseJob is not null));
        var near = arms.ToDictionary(arm => arm.Id, arm => new NearBenchmarks(reported.Where(arm.Holds).Select(one => one.Name)
            .Distinct(StringComparer.Ordinal)), StringComparer.Ordinal);
        var cells = placed.Select((row, index) => (Cell: ToCell(row, index, arms, near), Reported: row)).ToList();
        var header = new SessionHeader
        {
            Session = session,
            Plan = "sha256:" + Convert.ToHexStringLower(SHA256.HashData([.. reports.SelectMany(report => report.Hash)])),
            Seed = 0,
            Started = reports.Min(report => report.Started),
            Executor = JournalWords.Imported,
            Machine = Machine(reports[0].Host),
            Policy = new() { ScreenRounds = 0 },
            Cells = [.. cells.Select(row => row.Cell)],
        };
        using var stream = new MemoryStream();
        using var journal = new JournalWriter(stream, () => { });
        var record = SessionRecord.Start(journal, header);
        foreach (var (cell, row) in cells.Where(row => row.Cell.Unavailable is null))
        {
            foreach (var launch in LaunchesOf(cell, arms, row))
            {
                record.Add(launch);
            }
        }

        record.End("complete");
        return stream.ToArray();
    }

    /// <summary>Each with its job where a report has several of its name; a job that others are called like, with all that it
    /// sets.</summary>
    private static IReadOnlyList<Reported> Named(IReadOnlyList<Reported> reported)
    {
        static HashSet<string> Alike(IReadOnlyList<Reported> all, Func<Reported, (Report, string)> by) =>
            [.. all.GroupBy(by).Where(group => group.Skip(1).Any()).Select(group => group.First().Name)];
        var several = Alike(reported, one => (one.Report, one.Name));
        var unclear = Alike(reported, one => (one.Report, $"{one.Name}\n{ReportedJob.NameOf(one.Benchmark)}")).Count > 0;
        return [.. reported.Select(one => one with
        {
            Job = unclear ? ReportedJob.WholeOf(one.Benchmark) : ReportedJob.NameOf(one.Benchmark),
            HasSeveralJobs = several.Contains(one.Name),
        })];
    }

    private static IReadOnlyList<ImportedArm> Sides(bool hasReference) =>
        [.. (hasReference ? [Base, Head] : new[] { Head }).Select(side => new ImportedArm(side, null, one => one.Report.Arm == side))];

    private static IReadOnlyList<ImportedArm> Jobs(IReadOnlyList<Reported> reported, string reference)
    {
        var jobs = reported.Select(one => one.Job).Distinct(StringComparer.Ordinal).ToList();
        var others = jobs.Where(job => job != reference).ToList();
        if (!jobs.Contains(reference, StringComparer.Ordinal) || others.Count == 0)
        {
            throw new WrongUseException([new("--base-job", jobs.Contains(reference, StringComparer.Ordinal)
                ? $"'{reference}' is the only job of these reports." : $"'{reference}' is no job of these reports.",
                NearestNames.Suggest(reference, others))]);
        }

        return
        [
            new(Base, reference, one => one.Job == reference),
            .. others.Select(job => new ImportedArm(others.Count == 1 ? Head : job, job, one => one.Job == job)),
        ];
    }

    private Report Read(string arm, string path)
    {
        var toDo = "give BenchmarkDotNet's full JSON (-report-full.json, exporter `--exporters fulljson`)";
        var bytes = InputFile.Read(path, BenchmarkReport.File.MostBytes, toDo, "give the reports of fewer benchmarks");
        var (report, problems) = BenchmarkReport.File.Read(bytes);
        if (report is null)
        {
            throw new LabException($"reading {InputFile.Name(path)}", string.Join("; ", problems.Take(5)), toDo);
        }

        var version = report.HostEnvironmentInfo?.BenchmarkDotNetVersion;
        if (version is null || !KnownVersion().IsMatch(version))
        {
            var says = version is null ? "it is no report of BenchmarkDotNet, or does not say of which version"
                : $"it was made by BenchmarkDotNet {UntrustedText.Line(version)}; reports of 0.13 to 0.16 are read";
            throw new LabException($"reading {InputFile.Name(path)}", says, toDo);
        }

        IReadOnlyList<ReportedBenchmark> benchmarks = [.. (report.Benchmarks ?? [])
            .Where(benchmark => benchmark.FullName is { Length: > 0 and <= BenchmarkCases.LongestName })];
        return benchmarks.Count == 0 ? throw new LabException($"reading {InputFile.Name(path)}", "it holds no benchmark", toDo)
            : new(arm, benchmarks, report.HostEnvironmentInfo!, Started(report.Title), SHA256.HashData(bytes));
    }

    private static Cell ToCell(IGrouping<(string Name, string? Job), Reported> row, int index, IReadOnlyList<ImportedArm> arms,
        Dictionary<string, NearBenchmarks> near)
    {
        var without = arms.FirstOrDefault(arm => !row.Any(arm.Holds));
        var twice = arms.SelectMany(arm => row.Where(arm.Holds).GroupBy(one => one.Report)
            .Where(group => group.Skip(1).Any()).Select(group => (arm.Id, Count: group.Count()))).FirstOrDefault();
        return new Cell
        {
            Id = Invariant($"c{index + 1:D3}"),
            Workload = "imported",
            Dimensions = Values(Job, row.Key.Job),
            Parameters = Values(BenchmarkCases.Parameter, row.Key.Name),
            Arms = [.. arms.Select(arm => new Arm { Id = arm.Id, Dimensions = Values(Job, arm.Job) })],
            Metrics = row.All(one => one.Benchmark.Memory is not null) ? BenchmarkCases.Metrics
                : [.. BenchmarkCases.Metrics.Where(metric => metric.Primary)],
            Unavailable = without is not null ? $"no report of {without.Id} holds it{near[without.Id].Hint(row.Key.Name)}"
                : twice.Count > 1 ? Invariant($"a report of {twice.Id} holds {twice.Count} of this name ")
                    + "(parameters that print alike, or jobs that do): a value could be of any"
                : null,
        };
    }

    private static Dictionary<string, string> Values(string name, string? value)
    {
        var values = new Dictionary<string, string>(StringComparer.Ordinal);
        if (value is not null)
        {
            values[name] = value;
        }

        return values;
    }

    private static IEnumerable<Launch> LaunchesOf(Cell cell, IReadOnlyList<ImportedArm> arms, IEnumerable<Reported> row)
    {
        var byArm = arms.Select(arm => row.Where(arm.Holds)
            .SelectMany(one => BenchmarkFigures.OfLaunches(one.Benchmark).Select(figures => (one.Report, figures))).ToList()).ToList();
        for (var round = 0; round < byArm.Max(list => list.Count); round++)
        {
            for (var position = 0; position < arms.Count; position++)
            {
                if (round < byArm[position].Count)
                {
                    var (report, figures) = byArm[position][round];
                    yield return ToLaunch(cell, arms[position].Id, report.Started, figures) with { Round = round, Position = position };
                }
            }
        }
    }

    private static Launch ToLaunch(Cell cell, string arm, DateTimeOffset started, BenchmarkFigures figures) => new()
    {
        Cell = cell.Id,
        Stage = Stage.Confirm,
        Round = 0,
        Position = 0,
        Arm = arm,
        Started = started,
        WallSeconds = 0,
        Outcome = figures.Problem is null ? Outcome.Measured : Outcome.Refused,
        Reason = figures.Problem,
        Metrics = figures.Metrics.Where(pair => cell.Metrics.Any(metric => metric.Name == pair.Key)).ToDictionary(StringComparer.Ordinal),
        Evidence = figures is { Problem: null, Said.Count: > 0 } ? new JsonObject { ["benchmarkDotNet"] = figures.Said } : [],
    };

    private static JsonObject Machine(ReportedHost host) => new()
    {
        ["cpu"] = new JsonObject { ["model"] = host.ProcessorName },
        ["kernel"] = host.OsVersion,
        ["runtime"] = host.RuntimeVersion,
    };

    // "My.Parsing-20261122-131500", in whatever zone it was made.
    private DateTimeOffset Started(string? title) =>
        title is { Length: > 15 } && DateTimeOffset.TryParseExact(title[^15..], "yyyyMMdd-HHmmss", CultureInfo.InvariantCulture,
            DateTimeStyles.AssumeUniversal, out var time)
            ? time : clock.GetUtcNow();

    [GeneratedRegex(@"^0\.1[3-6]\.", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex KnownVersion();

    private sealed record Report(
        string Arm, IReadOnlyList<ReportedBenchmark> Benchmarks, ReportedHost Host, DateTimeOffset Started, byte[] Hash);

    /// <summary>One entry of a report.</summary>
    private sealed record Reported(Report Report, ReportedBenchmark Benchmark)
    {
        public string Name => Benchmark.FullName!;
        public string Job { get; init; } = "";

        /// <summary>Whether a report has others of its name, which are of other jobs.</summary>
        public bool HasSeveralJobs { get; init; }

        /// <summary>The row that it belongs to.</summary>
        public (string Name, string? Job) Key(bool jobsAreArms) => (Name, HasSeveralJobs && !jobsAreArms ? Job : null);
    }

    /// <summary>A side of the comparison: the reports of one, or one job of all.</summary>
    private sealed record ImportedArm(string Id, string? Job, Func<Reported, bool> Holds);
}
