using PerfLab.Core.Evidence;
using PerfLab.Core.Model;
using PerfLab.Reports.Why;
using PerfLab.Launching.Docker.Images;
using PerfLab.Profiling;

namespace PerfLab.Runner.Flow;

/// <summary>Traces that somebody recorded elsewhere, e.g. with dotnet-trace, as arms of a report.</summary>
internal static class TraceFiles
{
    /// <exception cref="LabException">A file that is missing, empty or something else: all of them are named.</exception>
    public static JitReport Report(IReadOnlyList<string> paths)
    {
        var arms = paths.Select((path, number) => Read(path, Name(number, paths.Count))).ToList();
        var unreadable = arms.Where(arm => arm.Statistics is null).ToList();
        if (unreadable.Count > 0)
        {
            throw new LabException(
                "reading " + string.Join(", ", unreadable.Select(arm => arm.Values)),
                string.Join("; ", unreadable.SelectMany(arm => arm.Doubts)),
                "record one with DOTNET_EnableEventPipe=1 (docs/internals/evidence.md), or with `dotnet-trace collect --providers Microsoft-Windows-DotNETRuntime:0x1000000018:5`");
        }

        return new([new("traces", arms)]);
    }

    private static string Name(int number, int count) => count > 2 || number > 1
        ? Invariant($"trace {number + 1}")
        : number == 0 && count == 2 ? "base" : "head";

    private static JitArm Read(string path, string arm)
    {
        var name = Path.GetFileName(path);
        try
        {
            if (NotAFile(path) is { } problem)
            {
                return new(arm, name, null, [], [problem]);
            }

            using var stream = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, 1 << 16, FileOptions.SequentialScan);
            var (facts, reading) = RuntimeTrace.Read(stream);
            IReadOnlyList<string> doubts = [.. Doubts(facts, reading)];
            return reading.Events == 0
                ? new(arm, name, null, [], doubts)
                : new(arm, name, facts.Jit, [.. Facts(facts)], doubts);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return new(arm, name, null, [], [exception.Message]);
        }
    }

    /// <summary>A pipe would be waited for, and a folder be called a file without rights.</summary>
    private static string? NotAFile(string path) =>
        Directory.Exists(path) ? $"{path} is a folder"
        : !File.Exists(path) ? $"there is no file {path}"
        : !FileKind.IsRegular(new FileInfo(path).ResolveLinkTarget(returnFinalTarget: true)?.FullName ?? path)
            ? $"{path} is a pipe, socket or device, not a file"
            : null;

    private static IEnumerable<string> Facts(RuntimeTraceFacts trace)
    {
        if (trace.RuntimeVersion is { } version)
        {
            yield return $"runtime {version}";
        }

        if (trace.SettingsFlags is { } flags)
        {
            yield return Invariant($"settings event flags {flags} (QuickJit {flags & 1}, QuickJitForLoops {(flags >> 1) & 1}, ")
                + Invariant($"TieredPGO {(flags >> 2) & 1}, ReadyToRun {(flags >> 3) & 1})");
        }
    }

    private static IEnumerable<string> Doubts(RuntimeTraceFacts facts, TraceReading reading)
    {
        if (reading.Doubt is { } doubt)
        {
            yield return doubt;
        }

        if (reading is { Events: 0, Problem: null })
        {
            yield return "it has no events";
        }
        else if (reading.Events > 0 && facts.Jit.Total.Count == 0)
        {
            yield return reading.Problem is null
                ? "it has no JIT events: the provider Microsoft-Windows-DotNETRuntime was off, or below level 5, or without the keywords 0x10 and 0x8"
                : "no JIT event came before that";
        }
    }
}
