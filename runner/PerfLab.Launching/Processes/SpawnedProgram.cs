using System.Diagnostics;
using System.Runtime.InteropServices;
using PerfLab.Machine.Kernel;

namespace PerfLab.Launching.Processes;

/// <summary>One exec, complete: what the kernel gets to see.</summary>
internal sealed record ProgramStart
{
    /// <summary>Absolute path, or one relative to <see cref="Folder"/>.</summary>
    public required string Program { get; init; }

    /// <summary>From argument 0 on.</summary>
    public required IReadOnlyList<string> Arguments { get; init; }
    public required IReadOnlyList<KeyValuePair<string, string>> Environment { get; init; }
    public required string Folder { get; init; }

    /// <summary>The number under which the program gets a pipe to say something to us; null: none.</summary>
    public int? StatusFd { get; init; }

    /// <summary>What it prints goes to /dev/null, errors excepted: reading it would cost the program time.</summary>
    public bool DropsOutput { get; init; }
}

/// <summary>
/// A running program in a session and process group of its own, with its output at two pipes. It is not reaped before
/// <see cref="Reap"/>, so its number can't be given to another process as long as we may signal it.
/// </summary>
internal sealed class SpawnedProgram : IDisposable
{
    // posix_spawnattr_t has 336 bytes in glibc, posix_spawn_file_actions_t 80, sigset_t 128; musl's are not larger.
    private const int OpaqueBytes = 1024;

    private SpawnedProgram(int pid, int pidFd, int output, int error, int status, long started) =>
        (Pid, PidFd, Output, Error, Status, Started) = (pid, pidFd, output, error, status, started);

    /// <summary>Stopwatch's time just before the call that started it.</summary>
    public long Started { get; }

    /// <summary>Also the number of its process group and of its session.</summary>
    public int Pid { get; }

    /// <summary>Readable once the program has ended.</summary>
    public int PidFd { get; }

    /// <summary>-1 when it is dropped.</summary>
    public int Output { get; }
    public int Error { get; }

    /// <summary>What it says at its <see cref="ProgramStart.StatusFd"/>; -1 when it has none.</summary>
    public int Status { get; }

    /// <summary>Starts on the calling thread, whose affinity the program inherits. Returns the error number when exec is refused.</summary>
    public static unsafe (SpawnedProgram? Program, int Error) Start(ProgramStart start)
    {
        var output = stackalloc int[2];
        var error = stackalloc int[2];
        output[0] = output[1] = -1;
        if (!start.DropsOutput && Libc.Pipe(output, Libc.CloseOnExec) != 0)
        {
            return (null, Marshal.GetLastPInvokeError());
        }

        if (Libc.Pipe(error, Libc.CloseOnExec) != 0)
        {
            var number = Marshal.GetLastPInvokeError();
            CloseAll(output[0], output[1]);
            return (null, number);
        }

        var status = stackalloc int[2];
        status[0] = status[1] = -1;
        if (start.StatusFd is not null && Libc.Pipe(status, Libc.CloseOnExec | Libc.NonBlocking) != 0)
        {
            var number = Marshal.GetLastPInvokeError();
            CloseAll(output[0], output[1], error[0], error[1]);
            return (null, number);
        }

        var refused = Spawn(start, output[1], error[1], status[1], out var pid, out var started);
        CloseAll(output[1], error[1], status[1]);
        if (refused != 0)
        {
            CloseAll(output[0], error[0], status[0]);
            return (null, refused);
        }

        return Adopt(pid, output[0], error[0], status[0], started);
    }

    public void SignalGroup(int signal) => _ = Libc.Kill(-Pid, signal);

    /// <summary>Takes the exit status; call once, after <see cref="PidFd"/> has become readable.</summary>
    public (WaitStatus Status, double CpuSeconds) Reap()
    {
        int status;
        Libc.Usage usage;
        while (Libc.Wait(Pid, out status, 0, out usage) < 0 && Marshal.GetLastPInvokeError() == Libc.Interrupted)
        {
        }

        var cpu = usage.UserSeconds + usage.SystemSeconds + ((usage.UserMicroseconds + usage.SystemMicroseconds) / 1e6);
        return (new WaitStatus(status), cpu);
    }

    /// <summary>What is in the status pipe by now, at most 4 KiB: call once the program has ended.</summary>
    public unsafe string ReadStatus()
    {
        var bytes = stackalloc byte[4096];
        var count = Status < 0 ? 0 : Libc.Read(Status, bytes, 4096);
        return count <= 0 ? "" : Encoding.UTF8.GetString(bytes, (int)count);
    }

    public void Dispose() => CloseAll(PidFd, Output, Error, Status);

    private static (SpawnedProgram? Program, int Error) Adopt(int pid, int output, int error, int status, long started)
    {
        var pidFd = Libc.OpenPidFd(pid);
        if (pidFd >= 0)
        {
            return (new SpawnedProgram(pid, pidFd, output, error, status, started), 0);
        }

        var number = Marshal.GetLastPInvokeError();
        _ = Libc.Kill(-pid, Libc.SigKill);
        _ = Libc.Wait(pid, out _, 0, out _);
        CloseAll(output, error, status);
        return (null, number);
    }

    private static unsafe int Spawn(ProgramStart start, int output, int error, int status, out int pid, out long started)
    {
        var attributes = stackalloc byte[OpaqueBytes];
        var actions = stackalloc byte[OpaqueBytes];
        var none = stackalloc byte[OpaqueBytes];
        var every = stackalloc byte[OpaqueBytes];
        NativeMemory.Clear(none, OpaqueBytes);
        NativeMemory.Clear(every, OpaqueBytes);
        _ = Libc.FillSignals(every);
        _ = Libc.SpawnAttributesInit(attributes);
        _ = Libc.SpawnActionsInit(actions);

        // .NET ignores SIGPIPE and blocks nothing; neither may leak into what is measured.
        _ = Libc.SpawnAttributesFlags(attributes, Libc.SpawnNewSession | Libc.SpawnSignalMask | Libc.SpawnSignalDefaults);
        _ = Libc.SpawnAttributesMask(attributes, none);
        _ = Libc.SpawnAttributesDefaults(attributes, every);
        _ = Libc.SpawnActionsFolder(actions, start.Folder);
        _ = Libc.SpawnActionsOpen(actions, 0, "/dev/null", 0, 0);
        _ = start.DropsOutput ? Libc.SpawnActionsOpen(actions, 1, "/dev/null", Libc.WriteOnly, 0)
            : Libc.SpawnActionsDuplicate(actions, output, 1);
        _ = Libc.SpawnActionsDuplicate(actions, error, 2);
        if (start.StatusFd is { } number)
        {
            _ = Libc.SpawnActionsDuplicate(actions, status, number);
        }

        Libc.SpawnActionsCloseInherited(actions, 1 + (start.StatusFd ?? 2));

        using var arguments = new StringVector(start.Arguments);
        using var environment = new StringVector([.. start.Environment.Select(pair => $"{pair.Key}={pair.Value}")]);
        started = Stopwatch.GetTimestamp();
        var result = Libc.Spawn(out pid, start.Program, actions, attributes, arguments.Pointer, environment.Pointer);
        _ = Libc.SpawnActionsDestroy(actions);
        _ = Libc.SpawnAttributesDestroy(attributes);
        return result;
    }

    private static void CloseAll(params ReadOnlySpan<int> descriptors)
    {
        foreach (var descriptor in descriptors)
        {
            _ = descriptor < 0 ? 0 : Libc.Close(descriptor);
        }
    }

    /// <summary>A null-terminated array of C strings.</summary>
    private sealed unsafe class StringVector : IDisposable
    {
        private readonly int count;

        public StringVector(IReadOnlyList<string> texts)
        {
            count = texts.Count;
            Pointer = (byte**)NativeMemory.AllocZeroed((nuint)count + 1, (nuint)sizeof(byte*));
            for (var i = 0; i < count; i++)
            {
                var bytes = Encoding.UTF8.GetBytes(texts[i]);
                Pointer[i] = (byte*)NativeMemory.AllocZeroed((nuint)bytes.Length + 1);
                bytes.CopyTo(new Span<byte>(Pointer[i], bytes.Length));
            }
        }

        public byte** Pointer { get; }

        public void Dispose()
        {
            for (var i = 0; i < count; i++)
            {
                NativeMemory.Free(Pointer[i]);
            }

            NativeMemory.Free(Pointer);
        }
    }
}

/// <summary>How the kernel says a process ended (wait(2)).</summary>
internal readonly record struct WaitStatus(int Raw)
{
    /// <summary>The signal that ended it, 0 when it left by itself.</summary>
    public int Signal => Raw & 0x7f;

    /// <summary>As a shell shows it: 128 + n for a signal.</summary>
    public int ExitCode => Signal == 0 ? (Raw >> 8) & 0xff : 128 + Signal;
}
