using System.Runtime.InteropServices;

// Never beside the program: a build's folder could hold a "libc".
[assembly: DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]

namespace PerfLab.Machine.Kernel;

/// <summary>
/// The calls that .NET's Process class does not offer: a process group of its own, an affinity that the child's runtime sees from its
/// first instruction, an exact wait status, one wait over output, exit and deadline. Same numbers in glibc and musl.
/// </summary>
internal static partial class Libc
{
    public const int SigKill = 9;
    public const int SigTerm = 15;
    public const int SigCont = 18;
    public const int SigStop = 19;
    public const int Interrupted = 4;
    public const short SpawnSignalMask = 0x08;
    public const short SpawnSignalDefaults = 0x04;
    public const short SpawnNewSession = 0x80;
    public const int CloseOnExec = 0x80000;
    public const int NonBlocking = 0x800;
    public const int WriteOnly = 1;
    public const int ReadWrite = 2;
    public const short PollIn = 1;

    private const long PidFdOpenCall = 434;
    private const long PerfEventOpenCall = 298;
    private const long PidFdSendSignalCall = 424;

    [StructLayout(LayoutKind.Sequential)]
    public struct PollSlot
    {
        public int Descriptor;
        public short Wanted;
        public short Seen;
    }

    /// <summary>struct rusage: two pairs of seconds and microseconds, then fourteen counters that are not read.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Usage
    {
        public long UserSeconds;
        public long UserMicroseconds;
        public long SystemSeconds;
        public long SystemMicroseconds;
        public fixed long Rest[14];
    }

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    public static partial int Kill(int pid, int signal);
    [LibraryImport("libc", EntryPoint = "wait4", SetLastError = true)]
    public static partial int Wait(int pid, out int status, int options, out Usage usage);
    [LibraryImport("libc", EntryPoint = "poll", SetLastError = true)]
    public static unsafe partial int Poll(PollSlot* slots, nuint count, int timeoutMilliseconds);
    [LibraryImport("libc", EntryPoint = "pipe2", SetLastError = true)]
    public static unsafe partial int Pipe(int* ends, int flags);
    [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8, SetLastError = true)]
    public static partial int Open(string path, int flags);
    [LibraryImport("libc", EntryPoint = "mkfifo", StringMarshalling = StringMarshalling.Utf8, SetLastError = true)]
    public static partial int MakeFifo(string path, uint mode);
    [LibraryImport("libc", EntryPoint = "lseek", SetLastError = true)]
    public static partial long Seek(int descriptor, long offset, int whence);
    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    public static partial int Sync(int descriptor);
    [LibraryImport("libc", EntryPoint = "statvfs", StringMarshalling = StringMarshalling.Utf8)]
    public static unsafe partial int StatFileSystem(string path, ulong* answer);
    [LibraryImport("libc", EntryPoint = "getppid")]
    public static partial int GetParent();
    [LibraryImport("libc", EntryPoint = "read", SetLastError = true)]
    public static unsafe partial nint Read(int descriptor, byte* buffer, nuint count);
    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    public static unsafe partial nint Write(int descriptor, byte* buffer, nuint count);
    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int descriptor);
    [LibraryImport("libc", EntryPoint = "sched_setaffinity", SetLastError = true)]
    public static unsafe partial int SetAffinity(int thread, nuint bytes, byte* mask);
    [LibraryImport("libc", EntryPoint = "sched_getaffinity", SetLastError = true)]
    public static unsafe partial int GetAffinity(int thread, nuint bytes, byte* mask);
    [LibraryImport("libc", EntryPoint = "sigfillset")]
    public static unsafe partial int FillSignals(byte* set);
    [LibraryImport("libc", EntryPoint = "posix_spawnattr_init")]
    public static unsafe partial int SpawnAttributesInit(byte* attributes);
    [LibraryImport("libc", EntryPoint = "posix_spawnattr_destroy")]
    public static unsafe partial int SpawnAttributesDestroy(byte* attributes);
    [LibraryImport("libc", EntryPoint = "posix_spawnattr_setflags")]
    public static unsafe partial int SpawnAttributesFlags(byte* attributes, short flags);
    [LibraryImport("libc", EntryPoint = "posix_spawnattr_setsigmask")]
    public static unsafe partial int SpawnAttributesMask(byte* attributes, byte* signals);
    [LibraryImport("libc", EntryPoint = "posix_spawnattr_setsigdefault")]
    public static unsafe partial int SpawnAttributesDefaults(byte* attributes, byte* signals);
    [LibraryImport("libc", EntryPoint = "posix_spawn_file_actions_init")]
    public static unsafe partial int SpawnActionsInit(byte* actions);
    [LibraryImport("libc", EntryPoint = "posix_spawn_file_actions_destroy")]
    public static unsafe partial int SpawnActionsDestroy(byte* actions);
    [LibraryImport("libc", EntryPoint = "posix_spawn_file_actions_adddup2")]
    public static unsafe partial int SpawnActionsDuplicate(byte* actions, int from, int to);
    [LibraryImport("libc", EntryPoint = "posix_spawn_file_actions_addopen", StringMarshalling = StringMarshalling.Utf8)]
    public static unsafe partial int SpawnActionsOpen(byte* actions, int descriptor, string path, int flags, uint mode);
    [LibraryImport("libc", EntryPoint = "posix_spawn_file_actions_addchdir_np", StringMarshalling = StringMarshalling.Utf8)]
    public static unsafe partial int SpawnActionsFolder(byte* actions, string path);
    [LibraryImport("libc", EntryPoint = "posix_spawn_file_actions_addclosefrom_np")]
    private static unsafe partial int SpawnActionsCloseFrom(byte* actions, int first);
    [LibraryImport("libc", EntryPoint = "posix_spawn", StringMarshalling = StringMarshalling.Utf8)]
    public static unsafe partial int Spawn(
        out int pid, string path, byte* actions, byte* attributes, byte** arguments, byte** environment);
    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true)]
    private static unsafe partial long OpenPerfEvent(long number, byte* attributes, long process, long cpu, long group, ulong flags);
    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true)]
    private static partial long SystemCall(long number, long first, long second, long third, long fourth);

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static unsafe partial int GetTime(int clock, long* secondsAndNanoseconds);

    /// <summary>
    /// Processor time of a process, all threads, in seconds: its own clock. Null when it is gone, or the kernel has no such clock.
    /// </summary>
    public static unsafe double? ProcessSeconds(int pid)
    {
        // The number of another process's clock (clock_getcpuclockid): its id inverted, and 2 for what the scheduler counted.
        var time = stackalloc long[2];
        return GetTime((~pid << 3) | 2, time) == 0 ? time[0] + (time[1] / 1e9) : null;
    }

    /// <summary>Closes what the runner itself inherited without close-on-exec; not in glibc before 2.34 and musl, which then let it in.</summary>
    public static unsafe void SpawnActionsCloseInherited(byte* actions, int first)
    {
        try
        {
            _ = SpawnActionsCloseFrom(actions, first);
        }
        catch (EntryPointNotFoundException)
        {
            // .NET's own descriptors are all close-on-exec; only those of whoever started the runner remain.
        }
    }

    /// <summary>A descriptor that stays with this very process even when its number is given to another; -1 when it is gone.</summary>
    public static int OpenPidFd(int pid) => (int)SystemCall(PidFdOpenCall, pid, 0, 0, 0);

    /// <summary>A counter of events on the calling thread, on whatever core it runs; -1 when it is refused.</summary>
    public static unsafe int OpenPerfEvent(byte* attributes, ulong flags) => (int)OpenPerfEvent(PerfEventOpenCall, attributes, 0, -1, -1, flags);

    public static bool SignalPidFd(int descriptor, int signal) => SystemCall(PidFdSendSignalCall, descriptor, signal, 0, 0) == 0;
}
