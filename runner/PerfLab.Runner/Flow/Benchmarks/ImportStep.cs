using System.Security.Cryptography;
using System.Text.RegularExpressions;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Launching.Benchmarks;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow.Benchmarks;

/// <summary>
/// Reports of BenchmarkDotNet that were made elsewhere -> journal. Each report is one launch of every benchmark in it; the first of base is
/// paired with the first of head. What nobody saw is not claimed: no build, no runtime, no knobs, no order.
/// </summary>
internal sealed partial class ImportStep(TimeProvider clock)
{
    private const string Base = "base", Head = "head";

    /// <summary>The journal as bytes.</summary>
    /// <param name="session">Its name.</param>
    /// <param name="reference">Reports of the reference; none: values without a comparison.</param>
    /// <param name="head">Reports of what is compared with it.</param>
    public byte[] Make(string session, IReadOnlyList<string> reference, IReadOnlyList<string> head)
    {
        var reports = reference.Select(path => Read(Base, path)).Concat(head.Select(path => Read(Head, path))).ToList();
        IReadOnlyList<string> arms = reference.Count == 0 ? [Head] : [Base, Head];
        var names = reports.SelectMany(report => report.Benchmarks.Keys).Distinct(StringComparer.Ordinal).ToList();
        var cells = names.Select((name, index) => ToCell(name, index, arms, reports)).ToList();
        var header = new SessionHeader
        {
            Session = session,
            Plan = "sha256:" + Convert.ToHexStringLower(SHA256.HashData([.. reports.SelectMany(report => report.Hash)])),
            Seed = 0,
            Started = reports.Min(report => report.Started),
            Executor = JournalWords.Imported,
            Machine = Machine(reports[0].Host),
            Policy = new() { ScreenRounds = 0 },
            Cells = cells,
        };
        using var stream = new MemoryStream();
        using var journal = new JournalWriter(stream, () => { });
        var record = SessionRecord.Start(journal, header);
        foreach (var cell in cells.Where(cell => cell.Unavailable is null))
        {
            foreach (var launch in LaunchesOf(cell, arms, reports))
            {
                record.Add(launch);
            }
        }

        record.End("complete");
        return stream.ToArray();
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
                : $"it was made by BenchmarkDotNet {UntrustedText.Line(version)}; reports of 0.13 to 0.15 are read";
            throw new LabException($"reading {InputFile.Name(path)}", says, toDo);
        }

        var benchmarks = (report.Benchmarks ?? [])
            .Where(benchmark => benchmark.FullName is { Length: > 0 and <= BenchmarkCases.LongestName })
            .GroupBy(benchmark => benchmark.FullName!, StringComparer.Ordinal)
                .ToDictionary(group => group.Key, IReadOnlyList<ReportedBenchmark> (group) => [.. group], StringComparer.Ordinal);
        return benchmarks.Count == 0 ? throw new LabException($"reading {InputFile.Name(path)}", "it holds no benchmark", toDo)
            : new(arm, benchmarks, report.HostEnvironmentInfo!, Started(report.Title), SHA256.HashData(bytes));
    }

    private static Cell ToCell(string name, int index, IReadOnlyList<string> arms, IReadOnlyList<Report> reports)
    {
        var without = arms.FirstOrDefault(arm => !reports.Any(report => report.Arm == arm && report.Benchmarks.ContainsKey(name)));
        var twice = reports.FirstOrDefault(report => report.Benchmarks.TryGetValue(name, out var alike) && alike.Count > 1);
        var hasMemory = reports.All(report => !report.Benchmarks.TryGetValue(name, out var alike)
            || alike.All(benchmark => benchmark.Memory is not null));
        return new Cell
        {
            Id = Invariant($"c{index + 1:D3}"),
            Workload = "imported",
            Dimensions = new Dictionary<string, string>(StringComparer.Ordinal),
            Parameters = new Dictionary<string, string>(StringComparer.Ordinal) { [BenchmarkCases.Parameter] = name },
            Arms = [.. arms.Select(arm => new Arm { Id = arm, Dimensions = new Dictionary<string, string>(StringComparer.Ordinal) })],
            Metrics = hasMemory ? BenchmarkCases.Metrics : [.. BenchmarkCases.Metrics.Where(metric => metric.Primary)],
            Unavailable = without is not null ? $"no report of {without} holds it"
                : twice is not null ? Invariant($"a report of {twice.Arm} holds {twice.Benchmarks[name].Count} of this name ")
                    + "(several jobs, or parameters that print alike): a value could be of any"
                : null,
        };
    }

    private static IEnumerable<Launch> LaunchesOf(Cell cell, IReadOnlyList<string> arms, IReadOnlyList<Report> reports)
    {
        var name = cell.Parameters[BenchmarkCases.Parameter];
        var byArm = arms.Select(arm => reports.Where(report => report.Arm == arm && report.Benchmarks.ContainsKey(name)).ToList()).ToList();
        for (var round = 0; round < byArm.Max(list => list.Count); round++)
        {
            for (var position = 0; position < arms.Count; position++)
            {
                if (round < byArm[position].Count)
                {
                    yield return ToLaunch(cell, byArm[position][round], round, position);
                }
            }
        }
    }

    private static Launch ToLaunch(Cell cell, Report report, int round, int position)
    {
        var figures = BenchmarkFigures.Of(report.Benchmarks[cell.Parameters[BenchmarkCases.Parameter]][0]);
        return new Launch
        {
            Cell = cell.Id,
            Stage = Stage.Confirm,
            Round = round,
            Position = position,
            Arm = report.Arm,
            Started = report.Started,
            WallSeconds = 0,
            Outcome = figures.Problem is null ? Outcome.Measured : Outcome.Refused,
            Reason = figures.Problem,
            Metrics = figures.Metrics.Where(pair => cell.Metrics.Any(metric => metric.Name == pair.Key))
                .ToDictionary(StringComparer.Ordinal),
            Evidence = figures.Problem is null ? new JsonObject { ["benchmarkDotNet"] = figures.Said } : [],
        };
    }

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

    [GeneratedRegex(@"^0\.1[345]\.", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex KnownVersion();

    private sealed record Report(
        string Arm, IReadOnlyDictionary<string, IReadOnlyList<ReportedBenchmark>> Benchmarks, ReportedHost Host, DateTimeOffset Started,
            byte[] Hash);
}
