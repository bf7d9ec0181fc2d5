using System.Text.Json.Nodes;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Programs;
using PerfLab.Runner.Commands;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>A lab's repository on disk with one script workload, two commits of it, and the command line on top.</summary>
internal sealed class PullRequestLab : IDisposable
{
    public const string Base = "a1b2c3d4e5f60718293a4b5c6d7e8f9001122334", Head = "d4e5f6a7b8c90718293a4b5c6d7e8f9001122334";

    public PullRequestLab(string configuration = Configuration)
    {
        Write("repo/perf-lab.yaml", configuration);
        foreach (var (folder, text) in new[] { ("repo", "echo trusted"), ("base", "echo old"), ("head", "echo new") })
        {
            Write($"{folder}/workloads/echo/workload.yaml", Manifest);
            Write($"{folder}/workloads/echo/run.sh", $"#!/bin/sh\n{text}\n");
        }

        Request = JsonNode.Parse(File.ReadAllText(Path.Combine(Repository.Root, "tests/fixtures/formats/request.json")))!.AsObject();
        Request["snippet"] = null;
        Words["suite"] = "pr";
        Words["runtimes"] = new JsonArray();
        Words["pgo"] = new JsonArray();
        Words["warmUp"] = null;
        Words["sdk"] = null;
        Words["within"] = null;
    }

    public const string Configuration = """
        schema: perf-lab/config/1
        suites:
          pr: { workloads: [echo], set: { size: ["1", "2"] } }
          tiny: { workloads: [echo] }
        machines:
          agent: { kind: azure, price-per-hour: 0.6 }
        github: { suite: pr, machine: agent, budget: { minutes: 120 } }

        """;

    public const string Manifest = """
        schema: perf-lab/workload/1
        name: echo
        summary: for tests
        build: { kind: none }
        command: ["./run.sh"]
        parameters:
          size: { default: 1 }
        metrics:
          throughput: { unit: call/s, better: higher, primary: true }
        launch: { warm-up: 0s, measure: 1s, timeout: 10s }
        resources: { cpus: 1, memory: 64MiB, pids: 16, network: none }
        result: perf-lab

        """;

    public string Folder { get; } = Directory.CreateTempSubdirectory("perf-lab-pr-").FullName;

    public JsonObject Request { get; }

    public JsonObject Words => Request["words"]!.AsObject();

    public string At(string name) => Path.Combine(Folder, name);

    public void Write(string name, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(At(name))!);
        File.WriteAllText(At(name), text);
    }

    public Task<(int Exit, string Out, string Error)> RunAsync(params string[] arguments) => RunInAsync("repo", arguments);

    public async Task<(int Exit, string Out, string Error)> RunInAsync(string root, params string[] arguments)
    {
        using StringWriter output = new(), error = new();
        var terminal = new Terminal { Out = output, Error = error, Root = At(root), WorkingFolder = Folder };
        var exit = await CommandLine.InvokeAsync(arguments, terminal, TestContext.Current.CancellationToken);
        return (exit, output.ToString(), error.ToString());
    }

    public Task<(int Exit, string Out, string Error)> PlanRequestAsync()
    {
        Write("request.json", Request.ToJsonString());
        return RunAsync("plan", "--request", "request.json", "--checkouts", ".", "--seed", "7");
    }

    public async Task<RunPlan> PlanAsync()
    {
        var (exit, output, error) = await PlanRequestAsync();
        exit.ShouldBe(0, error);
        Write("plan.json", output);
        return PlanFile.File.Read(output).Value.ShouldNotBeNull().Plan;
    }

    /// <summary>What an arm says that the workload of an open plan holds, as `build --list` writes it.</summary>
    public void Listed(RunPlan open, (string Arm, string Workload) of, IReadOnlyList<(string Name, string[] Categories)> benchmarks, string? why = null)
    {
        var listed = new JsonArray([.. benchmarks.Select(benchmark => new JsonObject
        {
            ["name"] = benchmark.Name,
            ["categories"] = new JsonArray([.. benchmark.Categories.Select(category => JsonValue.Create(category))]),
        })]);
        var project = new JsonObject { ["workload"] = of.Workload, ["benchmarks"] = listed, ["problems"] = new JsonArray(), ["why"] = why };
        Write($"{of.Arm}.json", new JsonObject
        {
            ["schema"] = "perf-lab/benchmarks/1",
            ["plan"] = open.Hash,
            ["arm"] = of.Arm,
            ["projects"] = new JsonArray(project),
        }.ToJsonString());
    }

    public Task<(int Exit, string Out, string Error)> CompleteAsync()
    {
        Write("request.json", Request.ToJsonString());
        return RunAsync("plan", "--complete", "plan.json", "--request", "request.json", "--listed", "head=head.json", "--listed", "base=base.json");
    }

    public async Task<RunPlan> CompletedAsync()
    {
        var (exit, output, error) = await CompleteAsync();
        exit.ShouldBe(0, error);
        Write("whole.json", output);
        return PlanFile.File.Read(output).Value.ShouldNotBeNull().Plan;
    }

    public void Dispose() => Directory.Delete(Folder, recursive: true);
}
