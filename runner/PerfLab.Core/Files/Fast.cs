using System.Runtime.CompilerServices;

namespace PerfLab.Core.Files;

/// <summary>
/// For the methods that see every value: they are compiled well when they are first called. A journal of 28,000 launches is read in a third
/// of a second, and half of that would pass before the runtime did so by itself (benchmarks/compare-speed).
/// </summary>
internal static class Fast
{
    public const MethodImplOptions FromTheStart = MethodImplOptions.AggressiveOptimization;
}
