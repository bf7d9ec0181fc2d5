using System.Diagnostics;
using System.Globalization;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>What one node of the side under test is at a moment.</summary>
/// <param name="Activated">Actors that came to life on it.</param>
/// <param name="ProcessorSeconds">Used so far, its sidecars' too.</param>
/// <param name="HeapBytes">Managed heap; exact only after a collection.</param>
/// <param name="ResidentBytes">Memory of the process and its sidecars that is in use now.</param>
internal sealed record NodeFigures(long Activated, double ProcessorSeconds, long HeapBytes, long ResidentBytes)
{
    /// <param name="sidecars">Processes that count with this one.</param>
    /// <param name="collect">Collect garbage first, so that the heap is what is really held.</param>
    public static NodeFigures Here(IReadOnlyList<int> sidecars, bool collect)
    {
        var heap = GC.GetTotalMemory(forceFullCollection: collect);
        using var self = Process.GetCurrentProcess();
        var all = sidecars.Select(Process.GetProcessById).Append(self).ToList();
        var figures = new NodeFigures(
            Greeter.Activated, all.Sum(process => process.TotalProcessorTime.TotalSeconds), heap, all.Sum(process => process.WorkingSet64));
        all.ForEach(process => process.Dispose());
        return figures;
    }

    public string ToLine() => string.Create(CultureInfo.InvariantCulture, $"{Activated} {ProcessorSeconds:R} {HeapBytes} {ResidentBytes}");

    public static NodeFigures Parse(string line)
    {
        var parts = line.Split(' ');
        return new(
            long.Parse(parts[0], CultureInfo.InvariantCulture), double.Parse(parts[1], CultureInfo.InvariantCulture),
            long.Parse(parts[2], CultureInfo.InvariantCulture), long.Parse(parts[3], CultureInfo.InvariantCulture));
    }
}
