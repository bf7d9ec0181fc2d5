using System.Runtime.InteropServices;
using PerfLab.Machine.Kernel;

namespace PerfLab.Machine.Facts;

/// <summary>
/// The kernel's messages from now on (/dev/kmsg: one record a read; opened without blocking, so that "nothing new" is an answer).
/// </summary>
internal sealed class KernelLog : IDisposable
{
    public const string Path = "/dev/kmsg";

    private const int FromEnd = 2;              // SEEK_END
    private const int BrokenPipe = 32;          // EPIPE: older records were overwritten before we read them
    private const int MostRecords = 10_000;

    private readonly int _file;
    private readonly byte[] _record = new byte[16 * 1024];

    private KernelLog(int file) => _file = file;

    /// <summary>Null where this user may not read it, or there is none.</summary>
    public static KernelLog? Open(MachineFiles files)
    {
        if (!File.Exists(files.At(Path)) || Libc.Open(files.At(Path), Libc.NonBlocking | Libc.CloseOnExec) is not (>= 0 and var file))
        {
            return null;
        }

        var log = new KernelLog(file);
        if (Libc.Seek(file, 0, FromEnd) < 0)
        {
            log.Dispose();
            return null;
        }

        return log;
    }

    /// <summary>What the kernel said since the last call; at most 10,000 records.</summary>
    public IReadOnlyList<string> Next()
    {
        var records = new List<string>();
        for (var i = 0; i < MostRecords; i++)
        {
            var count = Read();
            if (count > 0)
            {
                records.AddRange(Encoding.UTF8.GetString(_record, 0, (int)count).Split('\n', StringSplitOptions.RemoveEmptyEntries));
            }
            else if (count == 0 || Marshal.GetLastPInvokeError() != BrokenPipe)
            {
                break;
            }
        }

        return records;
    }

    public void Dispose() => _ = Libc.Close(_file);

    private unsafe nint Read()
    {
        fixed (byte* record = _record)
        {
            return Libc.Read(_file, record, (nuint)_record.Length);
        }
    }
}

/// <summary>Which of the kernel's messages mean that values taken at that time are worth nothing (Krun re-runs on any change of dmesg).</summary>
internal static class KernelTrouble
{
    private const int Longest = 160;

    // In the kernel's own words (arch/x86/kernel/cpu/mce, drivers/edac, kernel/hung_task.c, kernel/watchdog.c, mm/oom_kill.c, block/, clocksource.c).
    private static readonly string[] Marks =
    [
        "mce:", "Machine check", "Machine Check", "Hardware Error", "EDAC", "temperature above threshold", "cpu clock throttled", "hung_task", "blocked for more than",
        "soft lockup", "hard LOCKUP", "Out of memory", "I/O error", "Remounting filesystem read-only", "Marking clocksource", "rcu_sched self-detected stall", "Kernel panic", "Oops:",
    ];

    // The limit of a launch's own cgroup is its cell's outcome, not the machine's trouble.
    private static readonly string[] Ours = ["Memory cgroup out of memory", "memory cgroup out of memory"];

    /// <summary>The text of a record ("6,339,5140900,-;text") when it is trouble, else null.</summary>
    public static string? Of(string record)
    {
        var text = record[(record.IndexOf(';') + 1)..];
        return Marks.Any(mark => text.Contains(mark)) && !Ours.Any(ours => text.Contains(ours))
            ? string.Concat(text.Select(c => char.IsControl(c) ? ' ' : c).Take(Longest))
            : null;
    }
}
