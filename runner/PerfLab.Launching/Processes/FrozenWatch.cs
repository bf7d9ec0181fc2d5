using System.ComponentModel;
using System.Runtime.InteropServices;
using PerfLab.Machine.Kernel;

namespace PerfLab.Launching.Processes;

/// <summary>
/// A small process beside the lab that ends a round's launches when the lab is gone before them: a frozen one would stay for ever, and
/// does not even notice. It reads who they are from a pipe of which the lab alone holds the other end, in a session of its own, so that no
/// Ctrl-C reaches it.
/// </summary>
internal sealed class FrozenWatch : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private const int OnlyOwner = 0b110_000_000;

    /// <summary>What it does with those whom it was told of last, `$who`.</summary>
    public const string KillProcesses = "[ -z \"$who\" ] || kill -s KILL -- $who";

    // The last line counts. A dead lab's pipe ends, and the loop with it.
    private const string Script =
        "exec <\"$1\" 2>/dev/null; echo >&3; exec 3>&-; while IFS= read -r line; do who=$line; done; ";

    private readonly SpawnedProgram _program;
    private readonly int _pipe;
    private readonly Dictionary<string, string> _told = new(StringComparer.Ordinal);

    private FrozenWatch(SpawnedProgram program, int pipe) => (_program, _pipe) = (program, pipe);

    /// <summary>The watch, or why there can't be one.</summary>
    /// <param name="folder">Of the lab's own, not writable for launches.</param>
    /// <param name="ending">Shell that ends all of `$who`; its words are `$2` and so on.</param>
    /// <param name="words">For it.</param>
    public static (FrozenWatch? Watch, string? Problem) Start(string folder, string ending, params IReadOnlyList<string> words)
    {
        Directory.CreateDirectory(folder);
        var path = Path.Combine(folder, "watch");
        File.Delete(path);
        var pipe = Libc.MakeFifo(path, OnlyOwner) == 0 ? Libc.Open(path, Libc.ReadWrite | Libc.CloseOnExec) : -1;
        if (pipe < 0)
        {
            return (null, $"no pipe at {path}: {new Win32Exception(Marshal.GetLastPInvokeError()).Message}");
        }

        var (program, error) = SpawnedProgram.Start(new()
        {
            Program = LaunchShell.Program,
            Arguments = ["sh", "-c", Script + ending, "watch", path, .. words],
            Environment = [],
            Folder = folder,
            DropsOutput = true,
            StatusFd = LaunchShell.StatusFd,
        });
        if (program is null)
        {
            _ = Libc.Close(pipe);
            return (null, $"{LaunchShell.Program} could not be started: {new Win32Exception(error).Message}");
        }

        var watch = new FrozenWatch(program, pipe);
        if (IsUp(program))
        {
            return (watch, null);
        }

        watch.Dispose();
        return (null, $"{LaunchShell.Program}, to end frozen programs when the lab is gone, is not up after {Patience.TotalSeconds:0} s");
    }

    /// <summary>A launch has these processes now: all of them go when the lab does.</summary>
    public void TellProcesses(int group, IEnumerable<int> pids) =>
        Tell(Invariant($"{group}"), Invariant($"-{group} {string.Join(' ', pids)}"));

    /// <summary>Of a launch these are there now.</summary>
    public void Tell(string launch, string who)
    {
        lock (_told)
        {
            _told[launch] = who;
            Write(string.Join(' ', _told.Values));
        }
    }

    /// <summary>Nobody is left to end: the watch goes.</summary>
    public void Dispose()
    {
        _program.SignalGroup(Libc.SigKill); // before its pipe ends, at which it would act
        _ = Libc.Close(_pipe);
        _ = _program.Reap();
        _program.Dispose();
    }

    private static unsafe bool IsUp(SpawnedProgram program)
    {
        var slot = new Libc.PollSlot { Descriptor = program.Status, Wanted = Libc.PollIn };
        return Libc.Poll(&slot, 1, (int)Patience.TotalMilliseconds) > 0 && program.ReadStatus().Length > 0;
    }

    private unsafe void Write(string line)
    {
        var bytes = Encoding.ASCII.GetBytes(line + "\n");
        fixed (byte* start = bytes)
        {
            _ = Libc.Write(_pipe, start, (nuint)bytes.Length);
        }
    }
}
