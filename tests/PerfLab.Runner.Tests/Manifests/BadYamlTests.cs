using System.Text;
using PerfLab.Building.Manifests;

namespace PerfLab.Runner.Tests.Manifests;

/// <summary>What may be wrong with any file of ours, in the two that people write: it is refused, with line and member where it has them.</summary>
public sealed class BadYamlTests : IDisposable
{
    private const string Workload = WorkloadManifest.FileName, Config = LabConfig.FileName;

    private readonly YamlFiles _files = new();

    public void Dispose() => _files.Dispose();

    [Theory]
    // missing
    [InlineData(Workload, "summary: one line\n", "", "line 1, summary: is missing")]
    [InlineData(Workload, "better: higher, ", "", "line 15, metrics.throughput.better: is missing")]
    [InlineData(Workload, "kind: dotnet, ", "", "line 4, build.kind: is missing")]
    [InlineData(Config, "schema: perf-lab/config/1\n", "", "line 1, schema: is missing")]
    [InlineData(Config, "{ kind: metal, policy: metal }", "{ policy: metal }", "line 10, machines.ryzen.kind: is missing")]
    // unknown
    [InlineData(Workload, "warm-up: 2s", "warmup: 2s", "line 17, launch.warmup: is not known here. Did you mean warm-up?")]
    [InlineData(Workload, "kind: dotnet, ", "kind: dotnet, knobs: true, ", "line 4, build.knobs: is not known here. Valid: kind, project, runtimes, aspnetcore.")]
    [InlineData(Config, "price-per-hour", "price-per-our", "line 9, machines.azure-d4s.price-per-our: is not known here. Did you mean price-per-hour?")]
    [InlineData(Config, "{ kind: metal,", "{ kind: metall,", "line 10, machines.ryzen.kind: must be one of azure, metal, hosted, is 'metall'. Did you mean metal?")]
    [InlineData(Config, "{ kind: metal, policy: metal }", "{ kind: hosted, policy: metal }", "line 10, machines.ryzen.policy: a hosted machine has none; take it out")]
    [InlineData(Config, "{ kind: metal,", "{ kind: metal, runs-on: ubuntu-24.04,", "line 10, machines.ryzen.runs-on: only a hosted machine has one; take it out")]
    [InlineData(Config, "{ kind: metal, policy: metal }", "{ kind: hosted, runs-on: ubuntu-latest }", "line 10, machines.ryzen.runs-on: must be an image of GitHub's own runners by its full name, such as ubuntu-24.04, is 'ubuntu-latest'")]
    [InlineData(Config, "{ kind: metal, policy: metal }", "{ kind: hosted, runs-on: self-hosted }", "line 10, machines.ryzen.runs-on: must be an image")]
    [InlineData(Config, "{ kind: metal, policy: metal }", "{ kind: hosted, runs-on: [ubuntu-24.04, gpu] }", "line 10, machines.ryzen.runs-on: must be")]
    [InlineData(Config, "{ kind: metal, policy: metal }", "{ kind: hosted, runs-on: \"ubuntu-24.04\\n\" }", "line 10, machines.ryzen.runs-on: must be an image")]
    [InlineData(Config, "{ kind: metal, policy: metal }", "{ kind: hosted, runs-on: \"${{ github.token }}\" }", "line 10, machines.ryzen.runs-on: must be an image")]
    [InlineData(Config, "policy: metal }", "policy: strict }", "line 10, machines.ryzen.policy: must be one of azure, metal, any, is 'strict'")]
    [InlineData(Config, "suite: pr,", "suite: pull,", "line 13, github.suite: there is no suite 'pull' in this file. Valid: quick, pr, weekly.")]
    [InlineData(Config, "[skopeo, copy, \"docker-archive:{archive}\", \"docker://{image}\"]", "[skopeo]", "line 14, kubernetes.deliver: no argument holds {archive}")]
    [InlineData(Config, "namespace: perf-lab,", "namespace: Perf_Lab,", "line 14, kubernetes.namespace: must be a name of Kubernetes")]
    [InlineData(Config, "start-seconds: 300", "start-seconds: 0", "line 14, kubernetes.start-seconds: must be a whole number")]
    [InlineData(Config, "workloads: [workloads]", "base-image: debian@sha256:abc", "line 2, base-image: must be an image's name, alone, with a tag (debian:bookworm-slim) or with a digest (debian@sha256: and 64 digits from 0-9a-f), is 'debian@sha256:abc'")]
    [InlineData(Config, "workloads: [workloads]", "base-image: debian@sha256:0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef", "line 2, base-image: must be an image's name")]
    [InlineData(Config, "workloads: [workloads]", "base-image: debian@", "line 2, base-image: must be an image's name")]
    [InlineData(Config, "machine: azure-d4s", "machine: azure-d4", "line 13, github.machine: there is no machine 'azure-d4' in this file. Did you mean")]
    // gone
    [InlineData(Config, "margin: 0.01", "margin: 0.01, stop-early: true",
        "line 7, policy.stop-early: is gone: its looks are not judged any more. Take it out, and type ./perf-lab run … --within 10m;")]
    [InlineData(Config, "{ kind: metal, policy: metal }", "{ kind: metal, policy: metal, cpus: 2-7 }",
        "line 10, machines.ryzen.cpus: is not read here any more: LAB_CPUS in /etc/perf-lab/machine.conf, on the machine itself, says")]
    // doubled
    [InlineData(Workload, "result: perf-lab", "summary: two", "line 19: ")]
    [InlineData(Config, "workloads: [workloads]", "suites: {}", "line 3: ")]
    // wrongly typed
    [InlineData(Workload, "command: [\"./JsonRoundTrip\"]", "command: ./JsonRoundTrip", "line 7, command: must be a list, is './JsonRoundTrip'")]
    [InlineData(Workload, "primary: true", "primary: yes", "line 15, metrics.throughput.primary: must be true or false, is 'yes'")]
    [InlineData(Workload, "faithful: {}", "faithful: all", "line 13, modes.faithful: must be \"default\", is 'all'")]
    [InlineData(Config, "margin: 0.01", "margin: big", "line 7, policy.margin: must be a finite number, is 'big'")]
    [InlineData(Config, "workloads: [workloads]", "workloads:", "line 2, workloads: must be a list, is null")]
    // out of range
    [InlineData(Workload, "cpus: 2", "cpus: 0", "line 18, resources.cpus: must be a whole number of at least 1, is '0'")]
    [InlineData(Workload, "warm-up: 2s", "warm-up: 1000000000000s", "line 17, launch.warm-up: must be a duration such as 500ms, 2s or 5m, is '1000000000000s'")]
    [InlineData(Workload, "memory: 2GiB", "memory: 0GiB", "line 18, resources.memory: must be a size such as 512MiB or 2GiB, is '0GiB'")]
    [InlineData(Workload, "network: none", "network: host", "line 18, resources.network: must be none: nothing else is offered, and loopback is always there, is 'host'")]
    [InlineData(Config, "keep-p: 0.10", "keep-p: 2", "line 7, policy.keep-p: must be a finite number from 0 to 1, is '2'")]
    [InlineData(Config, "minutes: 120", "minutes: 99999999999", "line 13, github.budget.minutes: must be a whole number of at least 0, is '99999999999'")]
    [InlineData(Config, "price-per-hour: 0.19", "price-per-hour: 1e400", "line 9, machines.azure-d4s.price-per-hour: must be a finite number of at least 0, is '1e400'")]
    [InlineData(Workload, "default: 1000,", "default: 1e400,", "line 12, parameters.documents.default: must be a finite number, is '1e400'")]
    [InlineData(Workload, "values: [100, 1000, 10000]", "min: 2000", "line 12, parameters.documents.default: must be a number from min to max, like all values, is '1000'")]
    [InlineData(Workload, "default: 1000, values: [100, 1000, 10000]", "default: some, min: 10", "line 12, parameters.documents.default: must be a number from min to max")]
    [InlineData(Workload, "values: [100, 1000, 10000]", "min: 2000, max: 1000", "line 12, parameters.documents.min: must not be above max")]
    // half a character
    [InlineData(Workload, "summary: one line", "summary: \"\\ud800\"", "line 3: ")]
    [InlineData(Config, "size: Standard_D4s_v5", "size: \"\\udc00x\"", "line 9: ")]
    // what JSON can't say
    [InlineData(Workload, "summary: one line", "summary: &a one", "line 3: an anchor (&name) has no place here")]
    [InlineData(Workload, "summary: one line", "summary: *a", "line 3: an alias (*name) has no place here: write the value again")]
    [InlineData(Workload, "summary: one line", "summary: !!str 5", "line 3: a tag (!name) has no place here")]
    [InlineData(Workload, "result: perf-lab ", "---\nresult: perf-lab ", "line 1: must hold one YAML document")]
    [InlineData(Config, "workloads: [workloads]", "workloads: &a [workloads]", "line 2: an anchor (&name) has no place here")]
    [InlineData(Config, "workloads: [workloads]", "workloads: *a", "line 2: an alias (*name) has no place here: write the value again")]
    [InlineData(Config, "workloads: [workloads]", "workloads: !!seq []", "line 2: a tag (!name) has no place here")]
    [InlineData(Config, "policy: {", "---\npolicy: {", "line 1: must hold one YAML document")]
    public void one_mistake_is_one_problem(string file, string good, string bad, string expected)
    {
        var text = Text(file);
        text.ShouldContain(good);

        var problem = Problems(file, text.Replace(good, bad, StringComparison.Ordinal)).ShouldHaveSingleItem();

        problem.ShouldStartWith(expected);
    }

    [Theory]
    [InlineData(Workload, "one line", "line 3: is too deep")]
    [InlineData(Config, "[workloads]", "line 2: is too deep")]
    public void depth_is_bounded(string file, string good, string expected) =>
        Problems(file, Text(file).Replace(good, new string('[', 100_000), StringComparison.Ordinal)).ShouldBe([expected]);

    [Theory]
    [InlineData(Workload)]
    [InlineData(Config)]
    public void bytes_that_are_no_file_of_ours_are_refused(string file)
    {
        var good = Encoding.UTF8.GetBytes(Text(file));
        _files.Problems(file, good).ShouldBeEmpty();
        _files.Problems(file, [.. Encoding.UTF8.Preamble, .. good]).ShouldBe(["starts with a byte order mark; save it as UTF-8 without one"]);
        _files.Problems(file, [.. good, 0xFF]).ShouldBe(["is not UTF-8"]);
        _files.Problems(file, [.. good, .. Enumerable.Repeat((byte)'#', 256 << 10)]).ShouldHaveSingleItem().ShouldEndWith("bytes, over the limit of 262144");
        _files.Problems(file, []).ShouldBe(["line 1: must hold one YAML document"]);
        _files.Problems(file, "- 1\n"u8.ToArray()).ShouldBe(["line 1, the file: must be an object, is a list"]);
    }

    [Theory]
    [InlineData(Workload)]
    [InlineData(Config)]
    public void a_file_that_is_cut_is_refused_with_a_line_or_whole_enough(string file)
    {
        var text = Text(file);
        var refused = 0;
        for (var length = 0; length < text.Length; length += 5)
        {
            var problems = Problems(file, text[..length]);
            problems.ShouldAllBe(problem => problem.StartsWith("line "));
            refused += Math.Min(1, problems.Count);
        }

        refused.ShouldBeGreaterThan(text.Length / 20);
    }

    [Theory]
    [InlineData(Workload, "name: json-round-trip", "name: [x]", "better: higher", "better: up", "timeout: 60s", "timeout: soon", "pids: 512", "pids: -1", "default: 1000", "defalt: 1000")]
    [InlineData(Config, "workloads: [workloads]", "workloads: 5", "margin: 0.01", "margin: -1", "kind: azure", "kind: aws", "suite: pr", "suite: P R", "minutes: 120", "minutes: 0.5")]
    public void five_mistakes_are_five_lines_to_mend(string file, params string[] pairs)
    {
        var text = Text(file);
        var lines = new List<string>();
        foreach (var pair in pairs.Chunk(2))
        {
            lines.Add($"line {text[..text.IndexOf(pair[0], StringComparison.Ordinal)].Count(one => one == '\n') + 1}, ");
            text = text.Replace(pair[0], pair[1], StringComparison.Ordinal);
        }

        var problems = Problems(file, text);

        // `defalt` is two: it is unknown, and `default` is missing.
        problems.Where(problem => !problem.EndsWith("is missing", StringComparison.Ordinal)).Select(problem => problem[..(problem.IndexOf(", ", StringComparison.Ordinal) + 2)])
            .ShouldBe(lines, ignoreOrder: true);
    }

    private static string Text(string file) => file == Workload ? YamlFiles.Workload : YamlFiles.Config;

    private IReadOnlyList<string> Problems(string file, string text) => _files.Problems(file, Encoding.UTF8.GetBytes(text));
}
