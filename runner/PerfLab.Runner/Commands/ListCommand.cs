using System.CommandLine;
using System.Text.Json;
using System.Text.Json.Nodes;
using PerfLab.Core.Requests;
using PerfLab.Core.Workloads;
using PerfLab.Runner.Building;
using PerfLab.Runner.Manifests;

namespace PerfLab.Runner.Commands;

/// <summary>`list`: what can be asked for, and why something is unavailable. Never touches the network.</summary>
internal static class ListCommand
{
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true, NewLine = "\n" };

    public static Command Create(Terminal terminal)
    {
        var what = new Argument<string>("what") { DefaultValueFactory = _ => "all", Description = "workloads, suites, runtimes, frameworks or machines; all of them when left out." };
        what.AcceptOnlyFromAmong("all", "workloads", "suites", "runtimes", "frameworks", "machines");
        var json = new Option<bool>("--json") { Description = "For machines." };
        var command = Examples.Command("list", "What can be asked for, and why something is unavailable.", ["./perf-lab list runtimes"]).With(what, json);
        command.SetAction(parsed =>
        {
            var lab = Lab.Open(terminal);
            var problems = new List<Problem>();
            var lists = Lists(lab, problems).Where(list => parsed.GetValue(what) is "all" || parsed.GetValue(what) == list.Name).ToList();
            if (parsed.GetValue(json))
            {
                var all = new JsonObject([.. lists.Select(list => KeyValuePair.Create(list.Name, ToJson(list)))]);
                terminal.Out.WriteLine(all.ToJsonString(Indented));
            }
            else
            {
                lists.ForEach(list => Write(terminal.Out, list));
            }

            WrongUseException.ThrowIfAny(problems);
            return ExitCode.Done;
        });
        return command;
    }

    private sealed record Listing(string Name, IReadOnlyList<string> Columns, IReadOnlyList<IReadOnlyList<string>> Rows, string WhenEmpty);

    private static IEnumerable<Listing> Lists(Lab lab, List<Problem> problems)
    {
        var catalog = new WorkloadCatalog(lab.Config);
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
        yield return new("runtimes", ["runtime", "patch", "state"],
            [.. lab.Runtimes([]).List().SelectMany(listing => listing.Patches.Select(patch => Runtime(listing.Lane, patch.Patch, patch.Status, today)))],
            "none known");
        yield return new("frameworks", ["framework", "of", "versions"],
            [.. workloads.SelectMany(workload => workload.Frameworks.Select(framework => (IReadOnlyList<string>)[framework.Name, workload.Name,
                framework.Versions.Count == 0 ? "in the runtime" : string.Join(", ", framework.Versions)]))],
            "no workload has frameworks");
        yield return new("machines", ["machine", "kind", "size", "policy"],
            [.. lab.Config.Machines.Select(machine => (IReadOnlyList<string>)[machine.Name, machine.Kind, machine.Size ?? "-", machine.Policy])],
            "perf-lab.yaml names none: this machine is used as it is");
    }

    private static IReadOnlyList<string> Runtime(RuntimeLane lane, string patch, PackStatus status, DateOnly today)
    {
        var state = status switch
        {
            PackStatus.Available => "available",
            PackStatus.Unavailable => "unavailable: no package source had its runtime pack (tried again after a day; --feed DIR adds a folder)",
            _ => "not tried yet: found out when a plan asks for it",
        };
        var support = lane.Reference is { } reference ? $"; {reference}"
            : lane.IsSupportedOn(today) ? "" : $"; out of support since {lane.EndOfSupport:yyyy-MM-dd}";
        return [lane.Name, patch, state + support];
    }

    private static JsonNode? ToJson(Listing list) => new JsonArray([.. list.Rows.Select(row =>
        (JsonNode)new JsonObject([.. list.Columns.Zip(row, (column, value) => KeyValuePair.Create(column, (JsonNode?)value))]))]);

    private static void Write(TextWriter output, Listing list)
    {
        output.WriteLine($"{list.Name}:");
        if (list.Rows.Count == 0)
        {
            output.WriteLine($"  ({list.WhenEmpty})");
        }

        var widths = list.Columns.Select((_, column) => list.Rows.Select(row => row[column].Length).DefaultIfEmpty(0).Max()).ToList();
        foreach (var row in list.Rows)
        {
            output.WriteLine("  " + string.Join("  ", row.Select((value, column) => column == row.Count - 1 ? value : value.PadRight(widths[column]))).TrimEnd());
        }

        output.WriteLine();
    }
}
