using System.Diagnostics;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using PerfLab.Building.Runtimes;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Runner.Tests.Evidence.Traces;
using Bdn = PerfLab.Runner.Tests.Benchmarks.Reports;

namespace PerfLab.Runner.Tests.Documented;

/// <summary>The files that documented commands name: a repository of the reader's, and others in the folders next to it.</summary>
internal sealed partial class ReadersFolder : IDisposable
{
    private readonly string _top = Directory.CreateTempSubdirectory("reader-").FullName;

    public ReadersFolder()
    {
        WriteWorkloads();
        WriteBenchmarks();
        WriteWhatOthersWrote();
        foreach (var repository in new[] { "../library", "../fast", "." })
        {
            Commit(Directory.CreateDirectory(Path.Combine(Root, repository)).FullName);
        }

        RememberPackages();
    }

    /// <summary>Of the reader's repository.</summary>
    public string Root => Path.Combine(_top, "perf-lab");

    public string MachineLock => Path.Combine(_top, "machine.lock");

    public void Dispose() => Directory.Delete(_top, recursive: true);

    /// <param name="path">From the root.</param>
    /// <param name="text">All of it.</param>
    public void Write(string path, string text)
    {
        var target = Path.GetFullPath(Path.Combine(Root, path));
        Directory.CreateDirectory(Path.GetDirectoryName(target)!);
        File.WriteAllText(target, text);
    }

    /// <summary>Runs a script in the root, or in another folder.</summary>
    public void Shell(string script, string? folder = null)
    {
        using var shell = Process.Start(new ProcessStartInfo("sh", ["-ec", script]) { WorkingDirectory = folder ?? Root })!;
        shell.WaitForExit();
        shell.ExitCode.ShouldBe(0, script);
    }

    /// <summary>perf-lab's own suites and workloads, and the suite `big` that docs/internals/shards.md lets the reader imagine.</summary>
    private void WriteWorkloads()
    {
        const string big = """big: { workloads: [channel-actors], set: { batch: ["1", "5", "30", "200"], pairs: ["1", "2"] } }""";
        var configuration = Repository.Read("perf-lab.yaml")
            .Replace("workloads: [workloads]", "workloads: [workloads, bench]").Replace("suites:\n", $"suites:\n  {big}\n");
        configuration.ShouldContain("[workloads, bench]");
        Write("perf-lab.yaml", configuration);
        foreach (var manifest in Manifests(Path.Combine(Repository.Root, "workloads")))
        {
            Write(Path.GetRelativePath(Repository.Root, manifest), File.ReadAllText(manifest));
        }

        Shell($"cp -r '{AppContext.BaseDirectory}/fixtures/lab/workloads' .");
    }

    private void WriteBenchmarks()
    {
        var parse = Repository.Read("examples/library/benchmarks/parse/workload.yaml");
        string[] folders = ["examples/library/benchmarks/parse", "bench/parse", "../library/bench/parse", "my/workload", "my/folder"];
        foreach (var folder in folders)
        {
            Write($"{folder}/workload.yaml", parse.Replace("name: parse", $"name: {Path.GetFileName(folder)}"));
        }

        foreach (var folder in new[] { "bench", "bench/My.Benchmarks", "../library/bench" })
        {
            Write($"{folder}/My.Benchmarks.csproj", "<Project/>");
        }

        Write("snippet.cs", Repository.Read("tests/fixtures/snippet/snippet.cs"));
        foreach (var name in new[] { "new", "old", "input.txt", "numbers.txt" })
        {
            Write(name, "#!/bin/sh\n");
        }

        Shell("chmod +x new old");
    }

    /// <summary>Reports of BenchmarkDotNet, results of other tools, traces, and the request of a pull request.</summary>
    private void WriteWhatOthersWrote()
    {
        foreach (var report in new[] { "after", "before", "after/My.Parsing", "before/My.Parsing", "before/My.Writing" })
        {
            Write($"{report}-report-full.json", Bdn.Of(version: "0.15.8"));
        }

        Write("My.Parsing-report-full.json", Bdn.Whole("0.15.8", Bdn.Launched("My.Parsing.Numbers", "Runtime=.NET 8.0", 200, 201),
            Bdn.Launched("My.Parsing.Numbers", "Runtime=.NET 10.0", 100, 101)));
        File.WriteAllBytes(Path.Combine(Root, "before.nettrace"), TraceFixtures.Read("9.0.22-0"));
        File.WriteAllBytes(Path.Combine(Root, "after.nettrace"), TraceFixtures.Read("10.0.14-1"));
        Write("results.csv", "time,commit,mean\n1,c1,2\n2,c2,2\n");
        Write("gh-pages/dev/bench/data.js", """
            window.BENCHMARK_DATA = { "entries": { "suite": [
              { "commit": { "id": "abc" }, "date": 1, "benches": [ { "name": "parse", "value": 3, "unit": "ns" } ] } ] } }
            """);
        var request = JsonNode.Parse(Repository.Read("tests/fixtures/formats/request.json"))!;
        request["snippet"] = null;
        var words = request["words"]!;
        (words["suite"], words["runtimes"], words["pgo"]) = ("pr", new JsonArray(), new JsonArray());
        (words["warmUp"], words["sdk"]) = (null, null);
        Write("request.json", request.ToJsonString());
    }

    /// <summary>Commits with the names that pages give them.</summary>
    private void Commit(string repository) => Shell("""
        git init --quiet --initial-branch=main
        echo .perf-lab/ >.gitignore
        git add --all
        git -c user.name=Somebody -c user.email=somebody@example.com -c commit.gpgsign=false commit --quiet --message Begin
        from="from refs/heads/main^0"
        for second in $(seq 40); do
          printf 'commit refs/heads/main\ncommitter Somebody <somebody@example.com> %s +0000\ndata 0\n%s\n' $second "$from"
          from=
        done | git fast-import --quiet
        for name in v1.0 v1.1 v1.2 v1.2.0 v1.3.0 0a1b2c3d4e5f f5e4d3c2b1a0; do git tag $name HEAD~40; done
        """, repository);

    /// <summary>So that no package source is asked: they have every version that a page names.</summary>
    private void RememberPackages()
    {
        var releases = RuntimeRelease.Described;
        // A source has newer ones, too: those that the pages name.
        var newer = DocumentedCommand.All.SelectMany(command => Runtime().Matches(command.Text)).Select(found => found.Groups["number"].Value)
            .Except(releases.Select(release => release.Number)).Select(number => number + ".0");
        var patches = releases.Select(release => release.Seen!).Concat(newer).ToList();
        var packs = releases.SelectMany(release => release.CompiledWith).Select(pack => (pack.Key, pack.Value))
            .Concat(patches.SelectMany(patch => new[] { (RuntimePacks.Runtime, patch), (RuntimePacks.AspNetCore, patch) }));
        var named = DocumentedCommand.All.SelectMany(command => Version().Matches(command.Text))
            .Select(version => version.Groups["version"].Value).ToList();
        var text = string.Concat(Manifests(Root).Select(File.ReadAllText)) + Repository.Read("docs/workloads.md");
        var frameworks = Framework().Matches(text).SelectMany(framework => framework.Groups["packages"].Value.Split(", ")
            .SelectMany(id => named.Append(framework.Groups["from"].Value).Select(version => (id, version))));
        var memory = new PackMemory(Path.Combine(Root, ".perf-lab", "builds", "runtime-packs.json"));
        Directory.CreateDirectory(Path.Combine(Root, ".perf-lab", "builds"));
        foreach (var pack in packs.Concat(frameworks).GroupBy(pack => pack.Item1, pack => pack.Item2))
        {
            memory.Remember(pack.Key, new(DateTimeOffset.UtcNow, [new("a source", [.. pack.Distinct()], null)]));
        }
    }

    private static IEnumerable<string> Manifests(string folder) =>
        Directory.EnumerateFiles(folder, "workload.yaml", SearchOption.AllDirectories);

    [GeneratedRegex(@"\bnet(?<number>[0-9]+\.0)\b", RegexOptions.None, 1000)]
    private static partial Regex Runtime();

    [GeneratedRegex("@(?<version>[0-9][0-9.]*)", RegexOptions.None, 1000)]
    private static partial Regex Version();

    [GeneratedRegex(@"packages: \[(?<packages>[^\]]+)\], from: ""(?<from>[^""]+)""", RegexOptions.None, 1000)]
    private static partial Regex Framework();
}
