using System.Runtime.InteropServices;
using PerfLab.Core.Model;

namespace PerfLab.Machine.Kernel;

/// <summary>Which cores a launch gets, and which stay with the lab.</summary>
internal sealed record CpuChoice(IReadOnlyList<int> Workload, IReadOnlyList<int> Lab)
{
    /// <summary>
    /// What the plan asks for; without a wish, as many cores as the workload declares, the last ones: the first cores serve most
    /// interrupts, and the very first stays with the lab when there are more than two. Returns a problem when the wish can't be met: fewer
    /// cores than asked would be another measurement.
    /// </summary>
    public static (CpuChoice? Choice, string? Problem) From(string? wish, int count, IReadOnlyList<int> allowed)
    {
        if (wish is null)
        {
            var pool = allowed.Count > 2 ? allowed.Skip(1) : allowed;
            return (Split([.. pool.TakeLast(Math.Max(1, count))], allowed), null);
        }

        if (!CpuList.TryParse(wish, out var asked) || asked.Count == 0)
        {
            return (null, $"cpus '{wish}' is not a list of cores; write it like \"2-3\" or \"1,3\"");
        }

        return asked.Except(allowed).Any()
            ? (null, $"cpus '{wish}' asks for cores that the lab may not use here; it may use {CpuList.Format(allowed)}")
            : (Split(asked, allowed), null);
    }

    private static CpuChoice Split(IReadOnlyList<int> workload, IReadOnlyList<int> allowed)
    {
        var rest = allowed.Except(workload).ToList();
        return new CpuChoice(workload, rest.Count > 0 ? rest : allowed);
    }
}

/// <summary>The scheduler's mask of one thread; a child inherits it from the thread that starts it.</summary>
internal static class CpuAffinity
{
    private const int MaskBytes = 8192 / 8;

    /// <summary>The cores that the calling thread may use, ascending; empty when the kernel does not say.</summary>
    public static unsafe IReadOnlyList<int> OfThisThread()
    {
        var mask = stackalloc byte[MaskBytes];
        NativeMemory.Clear(mask, MaskBytes);
        var cpus = new List<int>();
        if (Libc.GetAffinity(0, MaskBytes, mask) < 0)
        {
            return cpus;
        }

        for (var cpu = 0; cpu < MaskBytes * 8; cpu++)
        {
            if ((mask[cpu / 8] & (1 << (cpu % 8))) != 0)
            {
                cpus.Add(cpu);
            }
        }

        return cpus;
    }

    public static unsafe bool PinThisThread(IReadOnlyList<int> cpus)
    {
        var mask = stackalloc byte[MaskBytes];
        NativeMemory.Clear(mask, MaskBytes);
        foreach (var cpu in cpus.Where(cpu => cpu < MaskBytes * 8))
        {
            mask[cpu / 8] |= (byte)(1 << (cpu % 8));
        }

        return Libc.SetAffinity(0, MaskBytes, mask) == 0;
    }
}
