using System.ComponentModel;
using System.Diagnostics;
using System.Security.Cryptography;

namespace PerfLab.Launching.Docker.Images;

/// <summary>
/// A root file system from Debian packages, unpacked by mmdebstrap without running any of their scripts. Same packages, same bytes
/// (engine-facts: two runs had one digest).
/// </summary>
internal sealed class DebianPackages : IBaseSource
{
    private const string Suite = "bookworm"; // one suite whatever the host runs, so that machines agree

    // What a self-contained .NET program links to or opens: https://learn.microsoft.com/dotnet/core/install/linux-debian#dependencies
    // ICU is half of it (31 MB), and what programs that compare and format by culture run on.
    private static readonly string[] Libraries = ["base-files", "libc6", "libgcc-s1", "libicu72", "libssl3", "libstdc++6", "zlib1g"];
    private static readonly string[] Shell = ["bash", "coreutils", "dash", "findutils", "grep", "mawk", "sed"];

    /// <summary>Names that a package's own script would make (update-alternatives), which nobody runs here; without a shell there are none.</summary>
    public static IReadOnlyList<RootLink> Links(BaseKind kind) => kind == BaseKind.Minimal ? [] : [new("usr/bin/awk", "mawk")];

    /// <summary>Everything that decides the bytes, as one line.</summary>
    public static string Recipe(BaseKind kind)
    {
        var links = string.Concat(Links(kind).Select(link => $"{link.Name} -> {link.Target}; "));
        return $"{Suite}: {string.Join(' ', Packages(kind))}; {links}rules {RootFileSystem.RulesVersion}";
    }

    public string Says => $"packages of Debian {Suite}";

    public string FileName(BaseKind kind)
    {
        var hash = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(Recipe(kind))))[..12];
        return $"{kind.InWords()}-debian-{hash}.tar";
    }

    /// <exception cref="BaseImageMissingException">mmdebstrap is not installed, or failed.</exception>
    public async Task MakeAsync(BaseKind kind, string path, CancellationToken cancellationToken)
    {
        var raw = path + ".raw";
        try
        {
            await UnpackAsync(kind, raw, cancellationToken);
            await RootFileSystem.NormaliseAsync(raw, path, Links(kind), cancellationToken);
        }
        finally
        {
            File.Delete(raw);
        }
    }

    private static async Task UnpackAsync(BaseKind kind, string path, CancellationToken cancellationToken)
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
                    $"mmdebstrap could not make it from packages of Debian {Suite} (exit code {process.ExitCode}): {LastLines(errors)}",
                    $"see what `mmdebstrap --simulate --variant=extract --include=base-files {Suite} /dev/null` says here: without root it needs "
                    + "uidmap and user namespaces, on Ubuntu debian-archive-keyring, and everywhere a Debian mirror");
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
                "mmdebstrap, which makes one from Debian packages, is not installed.",
                "on Debian or Ubuntu install it: apt-get install mmdebstrap debian-archive-keyring uidmap", missing);
        }
    }

    private static IEnumerable<string> Packages(BaseKind kind) => kind == BaseKind.Minimal ? Libraries : [.. Libraries, .. Shell];

    private static string LastLines(string text) => string.Join(" | ", text.Split('\n', StringSplitOptions.RemoveEmptyEntries).TakeLast(3));
}
