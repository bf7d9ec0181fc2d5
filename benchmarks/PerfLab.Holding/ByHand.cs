using System.Diagnostics;
using PerfLab.Launching;

namespace PerfLab.Holding;

/// <summary>Starts a program as somebody would: with its environment, nothing pinned, limited or watched.</summary>
internal sealed class ByHand : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("by-hand-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    public async Task<LaunchEnd> LaunchAsync(LaunchSpec spec)
    {
        var result = Path.Combine(_folder, "result.json");
        File.Delete(result);
        var start = new ProcessStartInfo(Path.Combine(spec.Build.Folder, spec.Command[0]), spec.Command.Skip(1))
        {
            WorkingDirectory = spec.Build.Folder,
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment.Clear();
        var files = spec.OutFiles.Select(file => KeyValuePair.Create(file.Key, Path.Combine(_folder, file.Value)));
        foreach (var (name, value) in spec.Environment.Append(new("PERF_LAB_RESULT", result)).Concat(files))
        {
            start.Environment[name] = value;
        }

        var clock = Stopwatch.StartNew();
        using var process = Process.Start(start)!;
        var printed = await Task.WhenAll(process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        await process.WaitForExitAsync();
        return new()
        {
            How = EndKind.Exited,
            ExitCode = process.ExitCode,
            WallSeconds = clock.Elapsed.TotalSeconds,
            ResultFile = result,
            Tail = printed[1],
        };
    }
}
