using System.Diagnostics;
using System.Globalization;
using PerfLab.Launching;

namespace PerfLab.LaunchOverhead;

/// <summary>The docker command, as somebody would launch the same image by hand.</summary>
internal static class DockerRun
{
    public static IEnumerable<string> Plain(LaunchSpec spec, string image) => ["run", "--rm", image, .. spec.Command];

    public static IEnumerable<string> Sealed(LaunchSpec spec, string image) =>
    [
        "run", "--rm", "--network", "none", "--read-only", "--tmpfs", "/tmp:size=64m,uid=65532,gid=65532,mode=0700", "--cap-drop", "ALL",
        "--security-opt", "no-new-privileges", "--ipc", "none", "--init", "--user", "65532:65532", "--hostname", "bench", "--cpuset-cpus", "0",
        "--pids-limit", spec.Resources.Pids.ToString(CultureInfo.InvariantCulture),
        "--memory", spec.Resources.MemoryBytes.ToString(CultureInfo.InvariantCulture),
        "--memory-swap", spec.Resources.MemoryBytes.ToString(CultureInfo.InvariantCulture),
        image, .. spec.Command,
    ];

    /// <summary>Wall time in milliseconds.</summary>
    public static async Task<double> TimeAsync(IEnumerable<string> arguments)
    {
        var clock = Stopwatch.StartNew();
        using var process = Process.Start(new ProcessStartInfo("docker", arguments)
        {
            UseShellExecute = false,
            RedirectStandardError = true,
        })!;
        var errors = await process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        return process.ExitCode == 0
            ? clock.Elapsed.TotalMilliseconds
            : throw new InvalidOperationException($"docker {string.Join(' ', arguments)} ended with {process.ExitCode}: {errors}");
    }
}
