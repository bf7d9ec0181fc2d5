using System.ComponentModel;
using System.Diagnostics;

namespace PerfLab.Launching.Docker.Images;

/// <summary>
/// A root file system from Debian packages, unpacked by mmdebstrap without running any of their scripts. Same packages, same bytes
/// (engine-facts: two runs had one digest).
/// </summary>
internal static class DebianPackages
{
    private const string Suite = "bookworm"; // one suite whatever the host runs, so that machines agree

    // What a self-contained .NET program links to or opens: https://learn.microsoft.com/dotnet/core/install/linux-debian#dependencies
    // libicu is left out (31 MB): images run with invariant globalization, see WorkloadImage.
    private static readonly string[] Libraries = ["base-files", "libc6", "libgcc-s1", "libssl3", "libstdc++6", "zlib1g"];
    private static readonly string[] Shell = ["bash", "coreutils", "dash", "findutils", "grep", "mawk", "sed"];

    /// <summary>Names that a package's own script would make (update-alternatives), which nobody runs here; without a shell there are none.</summary>
    public static IReadOnlyList<RootLink> Links(BaseKind kind) => kind == BaseKind.Minimal ? [] : [new("usr/bin/awk", "mawk")];

    /// <summary>Everything that decides the bytes, as one line.</summary>
    public static string Recipe(BaseKind kind)
    {
        var links = string.Concat(Links(kind).Select(link => $"{link.Name} -> {link.Target}; "));
        return $"{Suite}: {string.Join(' ', Packages(kind))}; {links}rules {RootFileSystem.RulesVersion}";
    }

    /// <exception cref="BaseImageMissingException">mmdebstrap is not installed, or failed.</exception>
    public static async Task MakeAsync(BaseKind kind, string path, CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo("mmdebstrap")
        {
            ArgumentList =
            {
                "--quiet", "--variant=extract", "--architectures=amd64", "--format=tar", "--include=" + string.Join(',', Packages(kind)), Suite, path,
            },
            UseShellExecute = false,
            RedirectStandardError = true,
            RedirectStandardOutput = true,
        };
        start.Environment["SOURCE_DATE_EPOCH"] = "0";
        using var process = Start(start);
        try
        {
            var output = process.StandardOutput.ReadToEndAsync(cancellationToken);
            var errors = await process.StandardError.ReadToEndAsync(cancellationToken);
            await output;
            await process.WaitForExitAsync(cancellationToken);
            if (process.ExitCode != 0)
            {
                throw new BaseImageMissingException(
                    $"mmdebstrap could not make the base image of Debian {Suite} (exit code {process.ExitCode}): {LastLines(errors)}",
                    "check that this machine reaches a Debian mirror, or set a base image by digest that the engine can pull");
            }
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            throw;
        }
    }

    private static Process Start(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start)!;
        }
        catch (Win32Exception missing)
        {
            throw new BaseImageMissingException(
                "There is no base image for containers yet, and mmdebstrap, which makes one from Debian packages, is not installed "
                + $"({missing.Message}).",
                "install it (apt-get install mmdebstrap), or set a base image by digest that the engine can pull; `--executor process` needs none",
                missing);
        }
    }

    private static IEnumerable<string> Packages(BaseKind kind) => kind == BaseKind.Minimal ? Libraries : [.. Libraries, .. Shell];

    private static string LastLines(string text) => string.Join(" | ", text.Split('\n', StringSplitOptions.RemoveEmptyEntries).TakeLast(3));
}
