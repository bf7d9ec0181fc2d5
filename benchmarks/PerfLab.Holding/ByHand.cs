using System.Diagnostics;
using PerfLab.Launching;

namespace PerfLab.Holding;

/// <summary>Starts a program as somebody would: with its environment, nothing pinned, limited or watched.</summary>
internal sealed class ByHand : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("by-hand-").FullName;

    private string Result => Path.Combine(_folder, "result.json");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>The planned program.</summary>
    public async Task<LaunchEnd> LaunchAsync(LaunchSpec spec)
    {
        var clock = Stopwatch.StartNew();
        var (code, _, error) = await RunAsync(Path.Combine(spec.Build.Folder, spec.Command[0]), [.. spec.Command.Skip(1)], spec);
        return new()
        {
            How = EndKind.Exited,
            ExitCode = code,
            WallSeconds = clock.Elapsed.TotalSeconds,
            ResultFile = Result,
            Tail = error,
        };
    }

    /// <summary>What another program prints, started with the same environment as the planned one.</summary>
    /// <exception cref="InvalidOperationException">It failed.</exception>
    public async Task<string> PrintedAsync(string program, LaunchSpec spec)
    {
        var (code, output, error) = await RunAsync(program, [], spec);
        return code == 0 ? output : throw new InvalidOperationException($"{program}: exit code {code}, {error}");
    }

    private async Task<(int Code, string Output, string Error)> RunAsync(string program, IReadOnlyList<string> arguments, LaunchSpec spec)
    {
        // What the launch before left is not of this one, and a runtime appends to its JIT summary.
        foreach (var left in Directory.EnumerateFiles(_folder))
        {
            File.Delete(left);
        }

        var start = new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = Path.GetDirectoryName(program),
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment.Clear();
        var files = spec.OutFiles.Select(file => KeyValuePair.Create(file.Key, Path.Combine(_folder, file.Value)));
        foreach (var (name, value) in spec.Environment.Append(new("PERF_LAB_RESULT", Result)).Concat(files))
        {
            start.Environment[name] = value;
        }

        using var process = Process.Start(start)!;
        var printed = await Task.WhenAll(process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await process.WaitForExitAsync();
        return (process.ExitCode, printed[0], printed[1]);
    }
}
