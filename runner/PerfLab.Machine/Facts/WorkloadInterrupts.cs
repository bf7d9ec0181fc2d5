namespace PerfLab.Machine.Facts;

/// <summary>Interrupts of devices that the workloads' cores have served since boot: a sum over the numbered lines of /proc/interrupts.</summary>
internal static class WorkloadInterrupts
{
    /// <summary>Null where the machine is not split, or the file can't be understood.</summary>
    public static long? Sum(MachineScan scan)
    {
        if (scan.WorkloadCpus is not { Count: > 0 } workload || scan.Files.Text("/proc/interrupts", MachineFiles.Large) is not { } text)
        {
            return null;
        }

        var lines = text.Split('\n');
        var columns = lines[0].Split(' ', StringSplitOptions.RemoveEmptyEntries).Select((name, index) => (name, index))
            .Where(column => workload.Any(cpu => column.name == Invariant($"CPU{cpu}"))).Select(column => column.index).ToList();
        if (columns.Count != workload.Count)
        {
            return null;
        }

        var sum = 0L;
        foreach (var line in lines.Skip(1))
        {
            // " 24:  1  0  IO-APIC …"; the kernel's own (LOC, RES, …) have letters and belong to what runs there.
            var words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (words.Length > columns[^1] + 1 && words[0].EndsWith(':') && words[0].AsSpan(0, words[0].Length - 1).IndexOfAnyExceptInRange('0', '9') < 0)
            {
                sum += columns.Sum(column => KernelText.Whole(words[column + 1]) ?? 0);
            }
        }

        return sum;
    }
}
