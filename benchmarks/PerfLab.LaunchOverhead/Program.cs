using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.LaunchOverhead;
using PerfLab.Launching;
using PerfLab.Launching.Docker;
using PerfLab.Launching.Docker.Engine;

// Usage: [pairs] [seed]. Needs an engine (DOCKER_HOST) and the docker command. Prints Markdown.
// Or: executors ROUNDS SEED DELIVER…, where the rest is `deliver` of perf-lab.yaml: rows of a table (benchmarks/executors).
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
if (args is ["executors", var rounds, var drawn, .. var deliver])
{
    var bits = Directory.CreateTempSubdirectory("perf-lab-overhead-");
    Console.WriteLine(await ExecutorTimes.RunAsync(
        new() { Deliver = deliver }, new Build("sha256:launch-overhead", bits.FullName, NeedsShell: true),
        int.Parse(rounds, CultureInfo.InvariantCulture), ulong.Parse(drawn, CultureInfo.InvariantCulture)));
    bits.Delete(recursive: true);
    return 0;
}

var pairs = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 20;
var seed = args.Length > 1 ? ulong.Parse(args[1], CultureInfo.InvariantCulture) : 1;
if (await EngineProbe.AskAsync(CancellationToken.None) is { Usable: false } engine)
{
    Console.Error.WriteLine($"launch-overhead: {engine.Says}");
    Console.Error.WriteLine("  to do: start a Docker engine (tests/engine/engine up --install), or name one with DOCKER_HOST");
    return 1;
}

var folder = Directory.CreateTempSubdirectory("perf-lab-overhead-").FullName;
try
{
    await using var launcher = new DockerLauncher(new DockerSettings { StoreFolder = Path.GetFullPath(".perf-lab") });
    var build = new Build("sha256:launch-overhead", folder, NeedsShell: true);
    await launcher.PrepareAsync([build], CancellationToken.None);
    var facts = await launcher.DescribeAsync(CancellationToken.None);
    Console.WriteLine($"""
        # Launch overhead of the docker executor

        {DateTimeOffset.UtcNow:yyyy-MM-dd}, {RuntimeInformation.OSDescription}, {Environment.ProcessorCount} cores, engine {facts["engine"]} (API {facts["api"]},
        {facts["storageDriver"]}, cgroup v{facts["cgroupVersion"]}), {RuntimeInformation.FrameworkDescription}.
        `dotnet run -c Release --project benchmarks/PerfLab.LaunchOverhead -- {pairs} {seed}`: {pairs} pairs, interleaved, order within a pair random.
        A launch is create, start, wait, inspect, read what it left and remove, of a container whose shell writes an empty result; `docker run --rm` runs the
        same words and reads nothing. Wall time in ms.

        | against | executor, median | docker run, median | ratio, median | ratio, quartiles |
        |---|---|---|---|---|
        """);
    var comparison = new Comparison(launcher, Spec(build, "sh", "-c", "echo {} >${PERF_LAB_RESULT:-/dev/null}"), launcher.ImageOf(build), seed);
    Console.WriteLine(await comparison.RunAsync("plain `docker run`", DockerRun.Plain, pairs));
    Console.WriteLine(await comparison.RunAsync("`docker run` sealed alike", DockerRun.Sealed, pairs));
    Console.WriteLine();
    Console.WriteLine("First long launch (the code that waits is compiled in it): " + await CpuShareAsync(launcher, Spec(build, "sleep", "10")));
    Console.WriteLine("Second: " + await CpuShareAsync(launcher, Spec(build, "sleep", "10")));
    return 0;
}
finally
{
    Directory.Delete(folder, recursive: true);
}

static LaunchSpec Spec(Build build, params string[] command) => new()
{
    Session = "launch-overhead",
    Build = build,
    Command = command,
    Environment = [new("PATH", "/usr/bin:/bin"), new("HOME", "/tmp"), new("LANG", "C.UTF-8")],
    Resources = new Resources(Cpus: 1, MemoryBytes: 256 << 20, Pids: 64),
    Timeout = TimeSpan.FromMinutes(1),
};

static async Task<string> CpuShareAsync(DockerLauncher launcher, LaunchSpec spec)
{
    using var self = Process.GetCurrentProcess();
    self.Refresh();
    var before = self.TotalProcessorTime;
    var end = await launcher.LaunchAsync(spec, CancellationToken.None);
    self.Refresh();
    var used = self.TotalProcessorTime - before;
    return FormattableString.Invariant(
        $"during a launch of {end.WallSeconds:0.0} s this process used {used.TotalMilliseconds:0.0} ms of CPU: {used.TotalSeconds / end.WallSeconds:0.000 %} of one core.");
}
