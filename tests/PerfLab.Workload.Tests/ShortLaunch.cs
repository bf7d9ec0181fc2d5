using System.Diagnostics;
using System.Globalization;
using System.Text.Json.Nodes;
using PerfLab.Building;

namespace PerfLab.Workload.Tests;

/// <summary>How a short launch ended.</summary>
/// <param name="JitList">What its JIT listed; empty where it did not.</param>
public sealed record LaunchOutcome(int ExitCode, string Output, string Errors, JsonObject? Result, double WallSeconds, string JitList);

/// <summary>
/// Starts a build the way the lab does: only the contract's environment, working folder = the build, result in a file, and beside it what
/// proves the knobs (docs/internals/evidence.md), asked for by the same variables as in every launch that has knobs.
/// </summary>
public static class ShortLaunch
{
    public const string Nonce = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";

    private const int FirstWithJitListFile = 8;

    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(60);

    public static async Task<LaunchOutcome> RunAsync(Build build, IReadOnlyList<string> command, params (string Name, string Value)[] environment)
    {
        var folder = Directory.CreateTempSubdirectory("perf-lab-launch-");
        try
        {
            var file = Path.Combine(folder.FullName, "result.json");
            using var deadline = new CancellationTokenSource(Deadline);
            var watch = Stopwatch.StartNew();
            using var process = Process.Start(Start(build, command, file, environment))!;
            var output = process.StandardOutput.ReadToEndAsync(deadline.Token);
            var errors = process.StandardError.ReadToEndAsync(deadline.Token);
            await process.WaitForExitAsync(deadline.Token);
            var seconds = watch.Elapsed.TotalSeconds;
            var result = File.Exists(file) ? JsonNode.Parse(await File.ReadAllTextAsync(file, deadline.Token))!.AsObject() : null;
            string[] asked = ["jit.txt", "settings.nettrace", .. result is null ? Array.Empty<string>() : ["result.json"]];
            Directory.GetFiles(folder.FullName).Select(Path.GetFileName).Except(asked).ShouldBeEmpty("nothing but what was asked for may be left behind");
            var list = Path.Combine(folder.FullName, "jit.txt");
            return new(process.ExitCode, await output, await errors, result, seconds,
                File.Exists(list) ? await File.ReadAllTextAsync(list, deadline.Token) : "");
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static ProcessStartInfo Start(Build build, IReadOnlyList<string> command, string result, (string Name, string Value)[] environment)
    {
        var start = new ProcessStartInfo(Path.Combine(build.Folder, command[0]), command.Skip(1))
        {
            WorkingDirectory = build.Folder,
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment.Clear();
        (string Name, string Value)[] contract =
        [
            ("PATH", "/usr/bin:/bin"), ("HOME", "/tmp"), ("LANG", "C.UTF-8"), ("PERF_LAB_RESULT", result), ("PERF_LAB_NONCE", Nonce),
            ("PERF_LAB_WARM_UP", "0.1"), ("PERF_LAB_MEASURE", "0.3"),
            ("DOTNET_JitDisasmSummary", RuntimeMajor(build) is < FirstWithJitListFile ? "0" : "1"),
            ("DOTNET_JitStdOutFile", Path.Combine(Path.GetDirectoryName(result)!, "jit.txt")),
            ("PERF_LAB_SETTINGS", Path.Combine(Path.GetDirectoryName(result)!, "settings.nettrace")),
        ];
        foreach (var (name, value) in contract.Concat(environment))
        {
            start.Environment[name] = value;
        }

        // Short: what is launched here need not be at rest, unless a test asks for it.
        start.Environment.TryAdd("PERF_LAB_WARM_UP_BOUND", start.Environment["PERF_LAB_WARM_UP"]);
        return start;
    }

    // A self-contained build says which runtime it holds; a script holds none.
    private static int? RuntimeMajor(Build build) =>
        Directory.EnumerateFiles(build.Folder, "*.runtimeconfig.json").Select(file => JsonNode.Parse(File.ReadAllText(file))!)
            .Select(config => (string?)config["runtimeOptions"]?["includedFrameworks"]?[0]?["version"])
            .Select(version => version is null ? (int?)null : int.Parse(version.Split('.')[0], CultureInfo.InvariantCulture)).FirstOrDefault();
}
