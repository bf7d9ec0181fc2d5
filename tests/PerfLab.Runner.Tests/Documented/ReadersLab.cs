using System.Text.RegularExpressions;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Programs;
using PerfLab.Runner.Tests.Commands;

namespace PerfLab.Runner.Tests.Documented;

/// <summary>
/// Where a reader of the documentation may stand: everything is there that a documented command names, with sessions that were measured.
/// Nothing of .NET is built, and no package source is asked.
/// </summary>
public sealed partial class ReadersLab : IDisposable
{
    /// <summary>What plan.json is of, and the sessions beside it; kept here, because commands change them.</summary>
    private const string OneMachine = "one-machine", TwoMachines = "two-machines";

    private readonly ReadersFolder _folder = new();

    public ReadersLab()
    {
        Make("new workload fast-parse");
        // As docs/workloads.md goes on with it.
        File.AppendAllText(Path.Combine(_folder.Root, "fast-parse", "workload.yaml"),
            Frameworks().Match(Repository.Read("docs/workloads.md")).Value.Replace("\n   ", "\n"));
        KeepHistory();
        MeasureOnOneMachine();
        MeasureOnTwo();
    }

    public void Dispose() => _folder.Dispose();

    /// <summary>Runs a command where what it reads is as it was in the beginning, and what it makes is not there yet.</summary>
    internal async Task<(int Code, string Out, string Error)> RunAsync(IReadOnlyList<string> words)
    {
        // `compare --out session` writes into the folder that it reads.
        var made = words.Zip(words.Skip(1)).Where(pair => pair.First is "workload" || (pair.First is "--out" && words[0] != "compare"))
            .Select(pair => $"'{pair.Second}'");
        _folder.Shell($"""
            rm -rf fast-parse session shard-* plan.json builds.json .perf-lab/history.db*
            cp --archive {(words.Any(word => word.Contains("shard")) ? TwoMachines : OneMachine)}/. .
            rm -rf {string.Join(' ', made)}
            """);
        return await InAsync(words);
    }

    /// <summary>Makes a workload, and reads how it is run.</summary>
    /// <param name="words">Folder and options.</param>
    internal async Task<string> ReadmeOfNewAsync(IReadOnlyList<string> words)
    {
        (await RunAsync(["new", "workload", .. words])).Code.ShouldBe(0);
        return await File.ReadAllTextAsync(Path.Combine(_folder.Root, words[0], "README.md"), TestContext.Current.CancellationToken);
    }

    internal Terminal Terminal(TextWriter output, TextWriter error) =>
        new() { Out = output, Error = error, Root = _folder.Root, WorkingFolder = _folder.Root, MachineLock = _folder.MachineLock, SelfTestRepeats = 0 };

    /// <summary>A session that changed something, under the id that pages accept.</summary>
    private void KeepHistory()
    {
        File.WriteAllBytes(Path.Combine(_folder.Root, "kept.ndjson"), History.Journals.Of("3fa91c22b0de", slower: 0.2));
        Make("history import kept.ndjson");
        Make("history export lab-data");
    }

    private void MeasureOnOneMachine()
    {
        Make("run behaving --base time=100 --head time=90 --rounds 5 --executor process --out session");
        _folder.Shell($"""
            for id in 20261122-124951-37b2 20261126-011557-a12a; do
              mkdir -p .perf-lab/sessions
              cp -r session .perf-lab/sessions/$id
            done
            mkdir -p {OneMachine}/.perf-lab
            cp .perf-lab/history.db* {OneMachine}/.perf-lab
            cp session/plan.json session/builds.json {OneMachine}
            mv session fast-parse {OneMachine}
            """);
    }

    private void MeasureOnTwo()
    {
        _folder.Write("plan.json", Make("plan behaving --set size=1,2,3 --rounds 0+1 --shards 2"));
        Make("build plan.json");
        Make("measure plan.json --shard 1 --out shard-1 --executor process");
        Make("measure plan.json --shard 2 --out shard-2 --executor process");
        _folder.Shell($"""
            mkdir -p {TwoMachines}/session
            cp -r shard-* {TwoMachines}/session
            mv shard-* plan.json builds.json {TwoMachines}
            cp -r {OneMachine}/fast-parse {OneMachine}/.perf-lab {TwoMachines}
            """);
    }

    private string Make(string command)
    {
        var (code, output, error) = InAsync(command.Split(' ')).GetAwaiter().GetResult();
        code.ShouldBe(0, $"{command}: {error}");
        return output;
    }

    private async Task<(int Code, string Out, string Error)> InAsync(IEnumerable<string> words)
    {
        using StringWriter output = new(), error = new();
        var stop = TestContext.Current.CancellationToken;
        var code = await BothPrograms.InvokeAsync([.. words.SelectMany(Expanded)], Terminal(output, error), stop);
        return (code, output.ToString(), error.ToString());
    }

    /// <summary>As a shell does it: a word with a star becomes the paths that fit, if any do.</summary>
    private IEnumerable<string> Expanded(string word)
    {
        var fits = new Regex("^" + Regex.Escape(word).Replace(@"\*", "[^/]*") + "$", RegexOptions.None, TimeSpan.FromSeconds(1));
        var all = !word.Contains('*') ? [] : Directory.EnumerateFileSystemEntries(_folder.Root, "*", SearchOption.AllDirectories);
        var found = all.Select(path => Path.GetRelativePath(_folder.Root, path)).Where(path => fits.IsMatch(path)).ToList();
        return found is [] ? [word] : found.Order(StringComparer.Ordinal);
    }

    [GeneratedRegex("\n   frameworks:\n.+\n", RegexOptions.None, 1000)]
    private static partial Regex Frameworks();
}
