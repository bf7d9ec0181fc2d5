using System.Diagnostics;
using PerfLab.Core.Model;

namespace PerfLab.Building.Tools;

/// <summary>What a run of <c>dotnet</c> came to.</summary>
/// <param name="ExitCode">0 when it did what it was asked.</param>
/// <param name="Output">Standard output and error as they came, bounded (see <see cref="DotnetCli.OutputLimit"/>).</param>
public sealed record CliResult(int ExitCode, string Output);

/// <summary>Starts the .NET SDK: argument lists only, a clean environment, bounded output, no process left behind.</summary>
/// <param name="path">The <c>dotnet</c> program; a bare name is looked up in PATH.</param>
public sealed class DotnetCli(string path = "dotnet")
{
    /// <summary>Characters of output that are kept: the first half and the last half of more.</summary>
    public const int OutputLimit = 4 * 1024 * 1024;

    /// <summary>Runs to the end. A cancelled token kills the whole process tree and throws.</summary>
    /// <exception cref="DotnetMissingException">The program can't be started.</exception>
    public async Task<CliResult> RunAsync(IReadOnlyList<string> arguments, string workingFolder, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        using var process = Start(arguments, workingFolder);
        process.StandardInput.Close();
        var output = new BoundedText(OutputLimit);
        var reading = Task.WhenAll(CopyAsync(process.StandardOutput, output), CopyAsync(process.StandardError, output));
        try
        {
            await process.WaitForExitAsync(cancellationToken);
            await reading.WaitAsync(cancellationToken);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync(CancellationToken.None);
            throw;
        }

        return new CliResult(process.ExitCode, output.ToString());
    }

    /// <summary>
    /// Where to start it so that it takes the newest SDK that is here: a global.json counts for whoever stands below it, whatever is built.
    /// </summary>
    public const string BelowNoGlobalJson = "/";

    /// <summary>The SDK's version that is in force in a folder (a global.json there decides), or null when none is.</summary>
    public async Task<string?> SdkVersionAsync(string folder, CancellationToken cancellationToken)
    {
        var result = await RunAsync(["--version"], folder, cancellationToken);
        return result.ExitCode == 0 ? result.Output.Trim() : null;
    }

    private Process Start(IReadOnlyList<string> arguments, string workingFolder)
    {
        var start = new ProcessStartInfo(path, arguments)
        {
            WorkingDirectory = workingFolder,
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment.Clear();
        foreach (var (name, value) in BuildEnvironment.From(Environment.GetEnvironmentVariables()))
        {
            start.Environment[name] = value;
        }

        try
        {
            return Process.Start(start)!;
        }
        catch (System.ComponentModel.Win32Exception missing)
        {
            throw new DotnetMissingException($"starting '{path}' in {workingFolder}", missing);
        }
    }

    private static async Task CopyAsync(StreamReader from, BoundedText to)
    {
        var buffer = new char[4096];
        while (await from.ReadAsync(buffer) is var read and > 0)
        {
            to.Append(buffer.AsSpan(0, read));
        }
    }
}

/// <summary>There is no .NET SDK where it was looked for.</summary>
public sealed class DotnetMissingException(string tried, Exception why)
    : LabException(tried, why.Message, "install the .NET 10 SDK, or put its folder into PATH", why);
