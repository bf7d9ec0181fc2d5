using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;

namespace PerfLab.WorkloadKit;

/// <summary>
/// What newer runtimes can tell and netstandard2.0 can't name, asked by reflection, a few times a launch and never while measuring.
/// Null means that this runtime does not know.
/// </summary>
internal static class RuntimeFacts
{
    private static readonly Type? JitInfo = typeof(object).Assembly.GetType("System.Runtime.JitInfo");

    private static readonly Func<bool, long>? CompiledCount =
        (Func<bool, long>?)JitInfo?.GetMethod("GetCompiledMethodCount", [typeof(bool)])?.CreateDelegate(typeof(Func<bool, long>));

    /// <summary>Bytes allocated by all threads since the start (.NET Core 3.0 on).</summary>
    /// <exception cref="PlatformNotSupportedException">An older runtime; perf-lab measures none.</exception>
    public static long AllocatedBytes() => (long)(Call(typeof(GC), "GetTotalAllocatedBytes", true)
        ?? throw new PlatformNotSupportedException("this runtime can't tell how much was allocated; .NET Core 3.1 is the oldest that is measured."));

    /// <summary>Total GC pause since the start (.NET 7 on).</summary>
    public static TimeSpan? TotalPause() => (TimeSpan?)Call(typeof(GC), "GetTotalPauseDuration");

    /// <summary>Methods compiled since the start, all tiers (.NET 6 on).</summary>
    public static long? CompiledMethods() => (long?)Call(JitInfo, "GetCompiledMethodCount", false);

    /// <summary>
    /// Methods compiled since the start, all tiers; -1 where the runtime can't tell (before .NET 6). Read at the end of every window, so it
    /// is a delegate: no reflection and no allocation while measuring.
    /// </summary>
    [MethodImpl(Recorder.CompiledOnce)]
    public static long CompiledSoFar() => CompiledCount?.Invoke(false) ?? -1;

    /// <summary>The same, of those that this thread compiled itself: not those that are compiled again in the background.</summary>
    [MethodImpl(Recorder.CompiledOnce)]
    public static long CompiledByThisThread() => CompiledCount?.Invoke(true) ?? -1;

    /// <summary>IL bytes compiled since the start, all tiers (.NET 6 on).</summary>
    public static long? CompiledILBytes() => (long?)Call(JitInfo, "GetCompiledILBytes", false);

    /// <summary>Wall time spent compiling since the start (.NET 6 on).</summary>
    public static TimeSpan? CompilationTime() => (TimeSpan?)Call(JitInfo, "GetCompilationTime", false);

    /// <summary>The settings that the GC really runs with, as it names them (.NET 7 on): the proof of every GC knob.</summary>
    public static IReadOnlyList<KeyValuePair<string, string>> GcConfiguration() =>
        Call(typeof(GC), "GetConfigurationVariables") is IEnumerable<KeyValuePair<string, object>> settings
            ? [.. settings.OrderBy(setting => setting.Key, StringComparer.Ordinal)
                .Select(setting => new KeyValuePair<string, string>(setting.Key, Convert.ToString(setting.Value, CultureInfo.InvariantCulture) ?? ""))]
            : [];

    /// <summary>Bytes that the GC counts on: its own limit, or all memory where it has none (.NET Core 3.0 on).</summary>
    public static long? GcMemoryBytes() => Call(typeof(GC), "GetGCMemoryInfo") is { } info
        ? (long?)info.GetType().GetProperty("TotalAvailableMemoryBytes")?.GetValue(info) : null;

    /// <summary>Thread-pool and lock figures at this moment, by name (.NET Core 3.0 on).</summary>
    public static IEnumerable<KeyValuePair<string, long>> Threading()
    {
        var figures = new (string Name, Type Type, string Property)[]
        {
            ("threads", typeof(ThreadPool), "ThreadCount"),
            ("completed", typeof(ThreadPool), "CompletedWorkItemCount"),
            ("pending", typeof(ThreadPool), "PendingWorkItemCount"),
            ("lockContentions", typeof(Monitor), "LockContentionCount"),
        };
        return figures
            .Select(figure => (figure.Name, Value: figure.Type.GetProperty(figure.Property)?.GetValue(null)))
            .Where(figure => figure.Value is not null)
            .Select(figure => new KeyValuePair<string, long>(figure.Name, Convert.ToInt64(figure.Value, CultureInfo.InvariantCulture)));
    }

    private static object? Call(Type? type, string method, params object[] arguments) =>
        type?.GetMethod(method, BindingFlags.Public | BindingFlags.Static, null, Array.ConvertAll(arguments, argument => argument.GetType()), null)
            ?.Invoke(null, arguments);
}
