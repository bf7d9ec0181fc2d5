using Microsoft.Diagnostics.Tracing.Etlx;
using PerfLab.Core.Profiles;

namespace PerfLab.Profiling;

/// <summary>What a trace came to: a profile, or why there is none.</summary>
public sealed record ProfileReading(LaunchProfile? Profile, string? Problem);

/// <summary>
/// Reads a .nettrace file with the runtime team's own library, which knows how to name the methods on a stack. That library trusts its
/// input, so
/// what it throws is a problem of the file, and how long it may take and how large the file may be is limited
/// (docs/decisions/0011-explain.md).
/// </summary>
public static class TraceProfile
{
    /// <summary>One larger is not read.</summary>
    public const int LargestTrace = 256 << 20;

    private const string RuntimeLibrary = "System.Private.CoreLib";

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    /// <summary>Never throws for what the file is.</summary>
    public static async Task<ProfileReading> ReadAsync(string path, MeasuredPart part, CancellationToken cancellationToken)
    {
        var size = new FileInfo(path) is { Exists: true } file ? file.Length : 0;
        if (Unreadable(size) is { } reason)
        {
            return new(null, reason);
        }

        var copy = Directory.CreateTempSubdirectory("perf-lab-trace-");
        try
        {
            return await Task.Run(() => Read(path, Path.Combine(copy.FullName, "trace.etlx"), part), cancellationToken)
                .WaitAsync(Patience, cancellationToken);
        }
        catch (TimeoutException)
        {
            return new(null, Invariant($"reading the trace took more than {Patience.TotalMinutes:0} minutes"));
        }
#pragma warning disable CA1031 // The library throws anything about a broken file; a launch without a profile is told, not fatal.
        catch (Exception exception) when (exception is not OperationCanceledException)
#pragma warning restore CA1031
        {
            return new(null, $"the trace can't be read: {exception.Message}");
        }
        finally
        {
            copy.Delete(recursive: true);
        }
    }

    /// <summary>Why a trace of so many bytes is not read; null when it is.</summary>
    public static string? Unreadable(long size) =>
        size == 0 ? "the trace is empty: the process ended before the runtime wrote anything"
        : size > LargestTrace ? Invariant($"the trace has {size >> 20} MiB, at most {LargestTrace >> 20} are read: shorten `measure` in workload.yaml")
        : null;

    private static ProfileReading Read(string path, string converted, MeasuredPart part)
    {
        using var log = new TraceLog(TraceLog.CreateFromEventPipeDataFile(path, converted, new TraceLogOptions { ContinueOnError = true }));
        var events = TraceEvents.Of(log);
        var ticks = events.Samples.Where(sample => sample.Kind == ProfileKind.Processor).ToList();
        if (ticks.Count == 0)
        {
            return new(null, "the trace has no samples of threads: the process was cut off, or its runtime has no sample profiler");
        }

        var end = ticks.Max(sample => sample.Milliseconds);
        var window = part.Window((end - ticks.Min(sample => sample.Milliseconds)) / 1000);
        var from = end - (1000 * window);
        var inside = events.Samples.Where(sample => sample.Milliseconds >= from && sample.Milliseconds <= end).ToList();
        // Every look samples all threads: the thread that was seen most often says how many looks there were.
        var looks = inside.Where(sample => sample.Kind == ProfileKind.Processor).GroupBy(sample => sample.Thread)
            .Max(thread => thread.Count());
        var units = part.Units(window);
        var names = new FrameNames(log);
        var stacks = inside.Where(sample => sample.Stack != CallStackIndex.Invalid).GroupBy(sample => sample.Kind).ToDictionary(
            kind => kind.Key,
            kind => (IReadOnlyList<StackWeight>)[.. kind.GroupBy(sample => sample.Stack)
                .Select(stack => new StackWeight(names.Of(stack.Key, SkipsRuntime(kind.Key)),
                    stack.Sum(sample => kind.Key == ProfileKind.Processor ? window / looks : sample.Weight) / units))
                .Where(stack => stack.Frames.Count > 0)]);
        return new(new() { Stacks = stacks, Figures = Figures(events, inside, (from, end), units, window / looks) }, null);
    }

    // Waiting and throwing happen inside the runtime's library: who asked for it is what its reader wants to know.
    private static bool SkipsRuntime(ProfileKind kind) => kind is ProfileKind.Contention or ProfileKind.Exceptions;

    private static Dictionary<ProfileFigure, double> Figures(
        TraceEvents events, List<Sample> inside, (double From, double To) window, double units, double look)
    {
        var figures = events.Counted.Where(counted => counted.Milliseconds >= window.From && counted.Milliseconds <= window.To)
            .GroupBy(counted => counted.Figure).ToDictionary(figure => figure.Key, figure => figure.Sum(counted => counted.Amount) / units);
        figures[ProfileFigure.ManagedTime] = inside.Count(sample => sample.Kind == ProfileKind.Processor && sample.Stack != CallStackIndex.Invalid)
            * look / units;
        figures[ProfileFigure.Allocated] = Of(ProfileKind.Allocation).Sum(sample => sample.Weight) / units;
        figures[ProfileFigure.Contentions] = Of(ProfileKind.Contention).Count() / units;
        figures[ProfileFigure.ContentionTime] = Of(ProfileKind.Contention).Sum(sample => sample.Weight) / units;
        figures[ProfileFigure.Exceptions] = Of(ProfileKind.Exceptions).Count() / units;
        return figures;

        IEnumerable<Sample> Of(ProfileKind kind) => inside.Where(sample => sample.Kind == kind);
    }

    /// <summary>Names of the frames of a stack, each address looked up once.</summary>
    private sealed class FrameNames(TraceLog log)
    {
        private const int Deepest = 500;
        private readonly Dictionary<CodeAddressIndex, (string Name, bool IsRuntime)> _names = [];

        public IReadOnlyList<string> Of(CallStackIndex stack, bool skipRuntime)
        {
            var frames = new List<string>();
            for (var depth = 0; stack != CallStackIndex.Invalid && depth < Deepest; depth++)
            {
                var (name, isRuntime) = NameOf(log.CallStacks.CodeAddressIndex(stack));
                if (!(frames.Count == 0 && ((skipRuntime && isRuntime) || IsPoll(name))))
                {
                    frames.Add(name);
                }

                stack = log.CallStacks.Caller(stack);
            }

            frames.Reverse();
            return frames;
        }

        // Where a loop lets itself be stopped, which is what the sampler makes it do: the time is the loop's. Managed code since .NET 10.
        private static bool IsPoll(string name) => name.StartsWith("System.Threading.Thread.", StringComparison.Ordinal)
            && name.Contains("PollGC", StringComparison.Ordinal);

        private (string Name, bool IsRuntime) NameOf(CodeAddressIndex address)
        {
            if (!_names.TryGetValue(address, out var known))
            {
                var (name, module) = (log.CodeAddresses[address].FullMethodName, log.CodeAddresses[address].ModuleName);
                _names[address] = known = (name.Length > 0 ? MethodName.Of(name) : MethodName.Missing(module),
                    module == RuntimeLibrary || name.Length == 0);
            }

            return known;
        }
    }
}
