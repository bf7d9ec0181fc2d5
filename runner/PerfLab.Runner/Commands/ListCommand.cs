using System.CommandLine;
using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Requests;
using PerfLab.Programs;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Flow.Benchmarks;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Commands;

/// <summary>
/// `list`: what can be asked for, and why something is unavailable. Only `list runtimes` and `list frameworks` may ask the package
/// sources, once a day; the whole list says what is known and asks nobody.
/// </summary>
internal static class ListCommand
{
    private static readonly string[] Words = ["all", "workloads", "suites", "runtimes", "knobs", "frameworks", "machines"];
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true, NewLine = "\n" };

    public static Command Create(Terminal terminal)
    {
        var what = new Argument<string>("what")
        {
            DefaultValueFactory = _ => "all",
            Description = "workloads, suites, runtimes, knobs, frameworks or machines; all of them when left out. `runtimes` and `frameworks` "
                + "ask the package sources once a day. A project, or its folder or solution: its benchmarks of BenchmarkDotNet, a name a line.",
        };
        what.CompletionSources.Add(Words);
        var json = new Option<bool>("--json") { Description = "Print JSON." };
        var runtime = new Option<string?>("--runtime")
        {
            Description = "With knobs: what these runtimes do where nothing is set, read from launches on them.",
            HelpName = "a,b",
        };
        var executor = ExecutorOption.Create();
        var command = Examples.Command("list", "What can be asked for, and why something is unavailable.",
            ["./perf-lab list bench/My.Benchmarks.csproj", "./perf-lab list runtimes", "./perf-lab list frameworks", "./perf-lab list knobs --runtime net8.0,net11.0"]).With(what, json, runtime, executor);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            RefuseStrange(parsed.GetValue(what)!);
            var lab = Lab.Open(terminal);
            if (parsed.GetValue(runtime) is { } asked)
            {
                var defaults = await DefaultsAsync(lab, (parsed.GetValue(what)!, asked, parsed.GetValue(executor)!), cancellationToken);
                Print([defaults], parsed.GetValue(json), terminal);
                return ExitCode.Done;
            }

            var problems = new List<Problem>();
            if (ProjectTarget.IsPath(parsed.GetValue(what)!))
            {
                var project = ProjectTarget.Read(parsed.GetValue(what)!, terminal, problems);
                WrongUseException.ThrowIfAny(problems);
                var held = await new BenchmarksHere(lab, parsed.GetValue(executor)!).ReadAsync(project!, cancellationToken);
                Print(held, parsed.GetValue(json), terminal);
                return ExitCode.Done;
            }

            var lists = Lists(lab, problems, parsed.GetValue(what), cancellationToken).Where(list => parsed.GetValue(what) is "all" || parsed.GetValue(what) == list.Name).ToList();
            Print(lists, parsed.GetValue(json), terminal);
            WrongUseException.ThrowIfAny(problems);
            return ExitCode.Done;
        });
        return command;
    }

    private static void RefuseStrange(string word)
    {
        if (!Words.Contains(word, StringComparer.Ordinal) && !ProjectTarget.IsPath(word))
        {
            throw new WrongUseException([new("list", $"'{word}' is nothing to list. {NearestNames.Suggest(word, Words)}",
                "For the benchmarks of a project, name its file, its solution, or its folder with a slash: ./perf-lab list bench/")]);
        }
    }

    private static void Print(List<Listing> lists, bool isJson, Terminal terminal)
    {
        if (isJson)
        {
            var all = new JsonObject([.. lists.Select(list => KeyValuePair.Create(list.Name, ToJson(list)))]);
            terminal.Out.WriteLine(all.ToJsonString(Indented));
        }
        else
        {
            lists.ForEach(list => Write(terminal.Out, list));
        }
    }

    /// <summary>A name a line and nothing else, as `--list flat` of BenchmarkDotNet: for grep and for --filter.</summary>
    private static void Print(Workload project, bool isJson, Terminal terminal)
    {
        var names = project.Parameters.SelectMany(parameter => parameter.Values);
        foreach (var line in isJson ? [new JsonObject([new("benchmarks", new JsonArray([.. names.Select(name => (JsonNode)name)]))]).ToJsonString(Indented)] : names)
        {
            terminal.Out.WriteLine(line);
        }
    }

    private static async Task<Listing> DefaultsAsync(
        Lab lab, (string What, string Runtimes, string Executor) asked, CancellationToken cancellationToken)
    {
        if (asked.What != "knobs")
        {
            throw new WrongUseException(
                [new("--runtime", $"says what runtimes do by default, and goes with `list knobs`, not with `list {asked.What}`.")]);
        }

        var runtimes = asked.Runtimes.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        var plan = DefaultsStep.Plan(lab, runtimes, cancellationToken); // a runtime that is none is refused before anybody waits
        using var machine = MachineLock.Take(lab.Terminal.MachineLock);
        await using var launcher = await lab.Executors.ChooseAsync(asked.Executor, cancellationToken);
        var read = await new DefaultsStep(lab, launcher).RunAsync(plan, cancellationToken);
        return new("knobs", ["knob", .. read.Select(defaults => defaults.Runtime)],
            [.. RuntimeKnobs.All.Select(knob => (IReadOnlyList<string>)[knob.Name, .. read.Select(one => one.Values[knob.Name])])],
            "none known");
    }

    private sealed record Listing(string Name, IReadOnlyList<string> Columns, IReadOnlyList<IReadOnlyList<string>> Rows, string WhenEmpty);

    private static IEnumerable<Listing> Lists(Lab lab, List<Problem> problems, string? asked, CancellationToken cancellationToken)
    {
        var catalog = new WorkloadCatalog(lab.Config);
        var packages = lab.Runtimes([], stop: cancellationToken);
        var today = DateOnly.FromDateTime(lab.Terminal.Clock.GetUtcNow().UtcDateTime);
        var workloads = catalog.Names.Select(name => catalog.Read(name, problems)).OfType<Workload>().ToList();
        yield return new("workloads", ["name", "what it measures", "parameters"],
            [.. workloads.Select(workload => (IReadOnlyList<string>)[workload.Name, workload.Summary,
                string.Join(" ", workload.Parameters.Select(parameter => $"{parameter.Name}={parameter.Default}"))])],
            "no folder of perf-lab.yaml holds a workload.yaml");
        yield return new("suites", ["name", "workloads", "values"],
            [.. lab.Config.Suites.Select(suite => (IReadOnlyList<string>)[suite.Name, string.Join(", ", suite.Workloads),
                string.Join(" ", suite.Set.Select(pair => $"{pair.Key}={string.Join(",", pair.Value)}"))])],
            "perf-lab.yaml names none");
        yield return new("runtimes", RuntimeList.Columns, [.. RuntimeList.Rows(packages.List(asked == "runtimes"), today)], "none known");
        yield return new("knobs", ["knob", "values", "variable", "what it does"],
            [.. RuntimeKnobs.All.Select(knob => (IReadOnlyList<string>)
                [knob.Name, string.Join(", ", knob.Values), "DOTNET_" + knob.Variable.Name, knob.Summary]),
                [LimitDimensions.Cpus, "1, 2, …", "-", "cores of a launch, in place of the workload's"],
                [LimitDimensions.Memory, "256MiB, 1GiB, …", "-", "memory of a launch, in place of the workload's"]],
            "none known");
        yield return new("frameworks", ["framework", "of", "newest", "versions"],
            [.. workloads.Select(workload => packages.WithVersions(workload, asked == "frameworks")).SelectMany(workload =>
                workload.Frameworks.Select(framework => FrameworkRow(workload.Name, framework, asked == "frameworks")))],
            "no workload has frameworks");
        yield return new("machines", ["machine", "kind", "size", "policy"],
            [.. lab.Config.Machines.Select(machine =>
                (IReadOnlyList<string>)[machine.Name, machine.Kind, machine.Size ?? machine.RunsOn ?? "-", machine.PolicyInForce])],
            "perf-lab.yaml names none: this machine is used as it is");
    }

    /// <param name="workload">Whose framework it is.</param>
    /// <param name="framework">With the versions that are known, oldest first.</param>
    /// <param name="isAsked">Whether the package sources were asked, and not only what they said before.</param>
    internal static IReadOnlyList<string> FrameworkRow(string workload, FrameworkDefinition framework, bool isAsked) => framework switch
    {
        { Property: null } => [framework.Name, workload, "-", "in the runtime"],
        { Packages: not [], Versions: [] } when isAsked =>
            [framework.Name, workload, "none known",
                $"no package source says that it has {string.Join(" and ", framework.Packages)} {framework.From} or newer"],
        { Packages: not [], Versions: [] } =>
            [framework.Name, workload, "not asked yet", "`./perf-lab list frameworks` asks the package sources"],
        _ => [framework.Name, workload, framework.Default ?? "previews only",
            string.Join(", ", framework.Versions.Reverse().Take(8))
                + (framework.Versions.Count > 8 ? $" and {framework.Versions.Count - 8} more" : "")],
    };

    private static JsonNode? ToJson(Listing list) => new JsonArray([.. list.Rows.Select(row =>
        (JsonNode)new JsonObject([.. list.Columns.Zip(row, (column, value) => KeyValuePair.Create(column, (JsonNode?)value))]))]);

    private static void Write(TextWriter output, Listing list)
    {
        output.WriteLine($"{list.Name}:");
        if (list.Rows.Count == 0)
        {
            output.WriteLine($"  ({list.WhenEmpty})");
        }

        var widths = list.Columns.Select((name, column) => list.Rows.Select(row => row[column].Length).Append(name.Length).Max()).ToList();
        foreach (var row in list.Rows.Count == 0 ? [] : list.Rows.Prepend(list.Columns))
        {
            output.WriteLine("  " + string.Join("  ", row.Select((value, column) => column == row.Count - 1 ? value : value.PadRight(widths[column]))).TrimEnd());
        }

        output.WriteLine();
    }
}
