using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PerfLab.Machine.Kernel;

namespace PerfLab.Machine.Hygiene;

/// <summary>Which work a self-test did: what other work took is no history of it.</summary>
internal static class SelfTestWork
{
    /// <summary>Raise it with every change below that changes what a repeat takes.</summary>
    private const int Version = 1;

    /// <summary>Of this runner.</summary>
    public static string Name { get; } =
        Of(Version, isOptimised: typeof(SelfTestWork).Assembly.GetCustomAttribute<DebuggableAttribute>() is not { IsJITOptimizerDisabled: true });

    /// <param name="isOptimised">False for a Debug build: its methods stay as they are written, also those that ask for optimisation.</param>
    public static string Of(int version, bool isOptimised) =>
        Invariant($"self-test {version} {(isOptimised ? "Release" : "Debug")}");
}

/// <summary>Arithmetic in registers: what the core's clock, a hypervisor and a sibling thread leave. About 20 ms.</summary>
internal static class Arithmetic
{
    private const int Steps = 12_000_000;
    private const ulong Seed = 88_172_645_463_325_252;

    // Optimised from the first call on: a change of tier between repeats would be measured as noise of the machine.
    // The answer is given back, because nothing else makes the JIT compute it: it drops a loop whose value only GC.KeepAlive gets.
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    public static ulong Once()
    {
        var state = Seed;
        for (var i = 0; i < Steps; i++)
        {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
        }

        return state;
    }
}

/// <summary>Every cache line of 64 MiB written and read: what other programs and machines leave of caches and memory. A few ms.</summary>
internal sealed unsafe class MemorySweep : IDisposable
{
    private const int Bytes = 64 << 20;
    private const int Line = 64;

    // Outside the managed heap: 64 MiB of ours must be gone while a workload is measured.
    private readonly byte* _memory = (byte*)NativeMemory.AlignedAlloc(Bytes, Line);

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    public void Once()
    {
        for (var at = 0; at < Bytes; at += Line)
        {
            ++_memory[at];
        }
    }

    public void Dispose() => NativeMemory.AlignedFree(_memory);
}

/// <summary>The shortest way into the kernel and back: what mitigations and seccomp cost. About 10 ms.</summary>
internal static class SystemCalls
{
    private const int Calls = 100_000;

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    public static void Once()
    {
        for (var i = 0; i < Calls; i++)
        {
            // No library remembers its answer, which may change at any time: each call is one of the kernel.
            _ = Libc.GetParent();
        }
    }
}
