using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace PerfLab.Runner.Machine;

/// <summary>Arithmetic in registers: what the core's clock, a hypervisor and a sibling thread leave. About 20 ms.</summary>
internal static class Spin
{
    private const int Steps = 20_000_000;

    // Optimised from the first call on: a change of tier between repeats would be measured as noise of the machine.
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    public static void Once()
    {
        var state = 88_172_645_463_325_252ul;
        for (var i = 0; i < Steps; i++)
        {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
        }

        GC.KeepAlive(state);
    }
}

/// <summary>Every cache line of 64 MiB written and read: what other programs and machines leave of caches and memory. About 10 ms.</summary>
internal sealed unsafe class MemorySweep : IDisposable
{
    private const int Bytes = 64 << 20;
    private const int Line = 64;

    // Outside the managed heap: 64 MiB of ours must be gone while a workload is measured.
    private readonly byte* _memory = (byte*)NativeMemory.AlignedAlloc(Bytes, Line);

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    public void Once()
    {
        var sum = 0;
        for (var at = 0; at < Bytes; at += Line)
        {
            sum += ++_memory[at];
        }

        GC.KeepAlive(sum);
    }

    public void Dispose() => NativeMemory.AlignedFree(_memory);
}

/// <summary>The shortest way into the kernel and back: what mitigations and seccomp cost. About 10 ms.</summary>
internal static partial class SystemCalls
{
    private const int Calls = 100_000;

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    public static void Once()
    {
        var sum = 0;
        for (var i = 0; i < Calls; i++)
        {
            sum += OperatingSystem.IsLinux() ? GetParent() : Environment.CurrentManagedThreadId;
        }

        GC.KeepAlive(sum);
    }

    // No library remembers its answer, which may change at any time: each call is one of the kernel.
    [LibraryImport("libc", EntryPoint = "getppid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int GetParent();
}
