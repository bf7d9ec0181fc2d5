using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Runner.Tests.Manifests;

/// <summary>What workload.yaml and perf-lab.yaml become, and the rules that no single member can keep.</summary>
public sealed class ManifestTests : IDisposable
{
    private readonly YamlFiles _files = new();

    public void Dispose() => _files.Dispose();

    [Fact]
    public void a_workload_is_what_its_manifest_says()
    {
        var workload = _files.ReadWorkload(YamlFiles.Workload).Workload.ShouldNotBeNull();

        (workload.Name, workload.Build.Kind, workload.Build.Project, workload.Result).ShouldBe(("json-round-trip", BuildKind.Dotnet, "JsonRoundTrip.csproj", ResultFormat.PerfLab));
        workload.Build.Runtimes.ShouldBe(["net8.0", "net9.0", "net10.0"]);
        workload.Frameworks.Select(framework => (framework.Name, framework.From, string.Join(' ', framework.Packages))).ShouldBe([("newtonsoft", "9.0.1", "Newtonsoft.Json"), ("stj", null, "")]);
        var documents = workload.Parameters.ShouldHaveSingleItem();
        (documents.Name, documents.Default, documents.Type).ShouldBe(("documents", "1000", ParameterType.Integer));
        documents.Values.ShouldBe(["100", "1000", "10000"]);
        workload.Modes.Select(mode => (mode.Name, mode.Metrics.Count)).ShouldBe([("steady", 2), ("faithful", 2)]);
        workload.Modes[0].Metrics.ShouldBe([new("throughput", "doc/s", Better.Higher, Primary: true), new("allocated", "B/doc", Better.Lower, Kind: MetricKind.Exact)]);
        (workload.Launch, workload.Resources).ShouldBe((new LaunchTimes(2, 3, 60), new Resources(2, 2L << 30, 512)));
    }

    [Fact]
    public void what_is_left_out_has_its_default()
    {
        var workload = _files.ReadWorkload("""
            schema: perf-lab/workload/1
            name: json-round-trip
            summary: short
            build: { kind: none }
            command: [./run]
            parameters: { slower: { default: 0.50 }, on: { default: true } }
            metrics: { time: { unit: s, better: lower, primary: true } }
            modes: { b: { metrics: [time] }, a: default }
            launch: { warm-up: 500ms, measure: 0.5m }
            """).Workload.ShouldNotBeNull();

        workload.Parameters.Select(parameter => (parameter.Default, parameter.Type)).ShouldBe([("0.50", ParameterType.Number), ("true", ParameterType.Text)]);
        workload.Modes.Select(mode => mode.Name).ShouldBe(["a", "b"]);
        (workload.Launch, workload.Resources).ShouldBe((new LaunchTimes(0.5, 30, 60), new Resources(2, 2L << 30, 512)));
    }

    [Theory]
    [InlineData("My.Benchmarks", "", "my-benchmarks")]
    [InlineData("My.Benchmarks", "name: mine", "mine")]
    [InlineData("json-round-trip", "name: mine", "mine")]
    [InlineData("__Ünï__2 ", "", "n-2")]
    [InlineData("--", "", "workload")]
    public void a_folder_that_is_pointed_at_may_have_any_name(string folder, string member, string name) =>
        _files.ReadWorkload(YamlFiles.Workload.Replace("name: json-round-trip", member, StringComparison.Ordinal), folder,
            isNamed: false).Workload.ShouldNotBeNull().Name.ShouldBe(name);

    [Theory]
    [InlineData("name: json-round-trip", "name: json", "line 2, name: must be the name of the folder, json-round-trip")]
    [InlineData(", packages: [Newtonsoft.Json], from: \"9.0.1\"", "", "line 9, frameworks.newtonsoft: needs `packages`, whose newest release is the default, or `default`")]
    [InlineData(", from: \"9.0.1\"", "", "line 9, frameworks.newtonsoft: `packages` and `from`, the lowest version that the workload was written for, go together")]
    [InlineData("packages: [Newtonsoft.Json]", "default: \"13.0.3\"", "line 9, frameworks.newtonsoft: `packages` and `from`, the lowest version that the workload was written for, go together")]
    [InlineData("default: 1000", "default: 7", "line 12, parameters.documents.default: must be one of 100, 1000, 10000, is '7'")]
    [InlineData("faithful: {}", "faithful: { metrics: [throughput, alocated] }", "line 13, modes.faithful.metrics[1]: must be one of this file's metrics, is 'alocated'. Did you mean allocated?")]
    [InlineData(", primary: true", "", "line 14, metrics: need exactly one primary in mode steady, have 0|line 14, metrics: need exactly one primary in mode faithful, have 0")]
    [InlineData("timeout: 60s", "timeout: 5s", "line 17, launch.timeout: must be longer than warm-up and measure together, is '5s'")]
    [InlineData("project: J", "project: /J", "line 4, build.project: must be a path from the workload's folder, is '/JsonRoundTrip.csproj'")]
    public void rules_between_members_are_kept(string good, string bad, string expected)
    {
        YamlFiles.Workload.ShouldContain(good);

        _files.ReadWorkload(YamlFiles.Workload.Replace(good, bad, StringComparison.Ordinal)).Problems.ShouldBe(expected.Split('|'));
    }

    [Fact]
    public void a_list_of_versions_by_hand_is_still_read()
    {
        var old = YamlFiles.Workload.Replace("packages: [Newtonsoft.Json], from: \"9.0.1\"", "versions: [\"12.0.3\", \"13.0.3\"], default: \"13.0.3\"", StringComparison.Ordinal);
        var framework = _files.ReadWorkload(old).Workload.ShouldNotBeNull().Frameworks[0];
        (string.Join(' ', framework.Versions), framework.Default).ShouldBe(("12.0.3 13.0.3", "13.0.3"));
    }

    [Fact]
    public void nodes_are_layouts_and_the_parameter_that_chooses_among_them()
    {
        var workload = _files.ReadWorkload(YamlFiles.Workload + "nodes: { one: {}, 2+1: { sut: 2, client: 1 } }\n").Workload.ShouldNotBeNull();

        workload.Layouts.Select(layout => (layout.Name, string.Join(' ', layout.Roles))).ShouldBe(
            [("one", ""), ("2+1", "NodeRole { Name = sut, Count = 2 } NodeRole { Name = client, Count = 1 }")]);
        var nodes = workload.Parameters[^1];
        (nodes.Name, nodes.Default, string.Join(' ', nodes.Values)).ShouldBe(("nodes", "one", "one 2+1"));
    }

    [Theory]
    [InlineData("{ a: { sut: 0, client: 1 } }", "nodes.a.sut: must be a whole number of at least 1, is '0'")]
    [InlineData("{ a: { sut: 1 } }", "nodes.a: is one program, which is written {}")]
    [InlineData("{ a: { sut: 40 } }", "nodes.a: must have at most 32 nodes, has 40")]
    [InlineData("{ a: { Sut-1: 2 } }", "nodes.a.Sut-1: must be a role's name of a-z, at most 16 characters")]
    public void a_layout_that_makes_no_sense_is_named(string nodes, string expected) =>
        _files.ReadWorkload(YamlFiles.Workload + $"nodes: {nodes}\n").Problems.ShouldHaveSingleItem().ShouldContain(expected);

    [Fact]
    public void a_configuration_is_what_the_file_says()
    {
        var config = _files.ReadConfig(YamlFiles.Config).Config.ShouldNotBeNull();

        config.WorkloadFolders.ShouldBe([Path.Combine(config.Root, "workloads")]);
        config.Suites.Select(suite => suite.Name).ShouldBe(["quick", "pr", "weekly"]);
        config.Suites[2].Set["pgo"].Select(value => value.Text).ShouldBe(["off", "on"]);
        config.Machines.Select(machine => (machine.Name, machine.Kind, machine.Policy, machine.PricePerHour)).ShouldBe([("azure-d4s", "azure", "azure", 0.19), ("ryzen", "metal", "metal", null), ("hosted", "hosted", null, null)]);
        config.Machines.Select(machine => (machine.RunsOn, machine.PolicyInForce)).ShouldBe([(null, "azure"), (null, "metal"), ("ubuntu-24.04", "hosted")]);
        (config.Github.Machine, config.Github.Budget).ShouldBe(("azure-d4s", new Budget { Minutes = 120, PerUserPerDay = 10 }));
        _files.ReadConfig("schema: perf-lab/config/1\n").Config.ShouldNotBeNull().Github.Budget.ShouldBe(new());
    }

    [Fact]
    public void cores_of_a_machine_are_not_said_here_any_more() =>
        _files.ReadConfig("schema: perf-lab/config/1\nmachines:\n  a: { kind: metal, cpus: { workload: 2-3 } }\n").Problems.ShouldHaveSingleItem()
            .ShouldStartWith("line 3, machines.a.cpus: is not read here any more: LAB_CPUS in /etc/perf-lab/machine.conf");

    [Fact]
    public void a_history_is_a_file_or_the_name_of_a_variable_and_never_a_password()
    {
        var config = _files.ReadConfig("schema: perf-lab/config/1\nhistory: { postgres-from: LAB_HISTORY, keep-runs: false }\n").Config!.History;
        (config.PostgresFrom, config.KeepRuns, config.Sqlite).ShouldBe(("LAB_HISTORY", false, ".perf-lab/history.db"));
        _files.ReadConfig("schema: perf-lab/config/1\nhistory: { postgres-from: Host=db;Password=x }\n").Problems.ShouldHaveSingleItem()
            .ShouldStartWith("line 2, history.postgres-from: must be the name of an environment variable");
    }

    [Theory]
    [InlineData("debian")]
    [InlineData("localhost:5000/some/base:1.0")]
    [InlineData("debian:bookworm-slim@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef")]
    public void a_base_image_is_a_name_with_a_tag_or_a_whole_digest(string image) =>
        _files.ReadConfig($"schema: perf-lab/config/1\nbase-image: {image}\n").Config.ShouldNotBeNull().BaseImage.ShouldBe(image);

    [Fact]
    public void every_file_of_the_repository_is_read()
    {
        var problems = new List<Problem>();
        var manifests = new[] { "workloads", "examples", "tests/fixtures/wrong-cells" }
            .SelectMany(folder => Directory.GetFiles(Path.Combine(Repository.Root, folder), WorkloadManifest.FileName, SearchOption.AllDirectories)).ToList();
        manifests.Count.ShouldBeGreaterThan(10);
        manifests.ForEach(path => WorkloadManifest.Read(Path.GetDirectoryName(path)!, problems));
        LabConfig.Read(Repository.Root, problems);
        LabConfig.Read(Path.Combine(Repository.Root, "examples/library"), problems);

        problems.ShouldBeEmpty();
    }
}
