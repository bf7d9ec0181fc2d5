using System.ComponentModel;
using System.Runtime.InteropServices;
using PerfLab.Machine.Kernel;

namespace PerfLab.Launching.Turns;

/// <summary>
/// The two pipes of one launch that takes turns: files in its one writable folder, so that a program in a sandbox has them too. Both ends
/// of each are open here, so a program that opens one never waits for us, and one that is gone is no error.
/// </summary>
internal sealed class TurnPipes : IDisposable
{
    /// <summary>A line is no longer; who says more says something else.</summary>
    private const int LongestLine = 128;

    private readonly int _say, _go;
    private readonly byte[] _buffer = new byte[LongestLine];
    private int _filled;

    private TurnPipes(int say, int go) => (_say, _go) = (say, go);

    /// <param name="folder">Empty of them.</param>
    /// <param name="mode">Who may open them: a container's user is another than ours.</param>
    public static TurnPipes Create(string folder, UnixFileMode mode = UnixFileMode.UserRead | UnixFileMode.UserWrite) =>
        new(Made(folder, TurnVariables.SayFile, mode), Made(folder, TurnVariables.GoFile, mode));

    /// <summary>Something was said that is not yet read, or <paramref name="wake"/> woke us, or the time is over.</summary>
    public unsafe void Wait(int wake, TimeSpan patience)
    {
        var slots = stackalloc Libc.PollSlot[2];
        slots[0] = new() { Descriptor = _say, Wanted = Libc.PollIn };
        slots[1] = new() { Descriptor = wake, Wanted = Libc.PollIn };
        _ = Libc.Poll(slots, 2, (int)Math.Clamp(Math.Ceiling(patience.TotalMilliseconds), 0, int.MaxValue));
    }

    /// <summary>The next line, without its end; null when there is none yet. What is too long is returned as it is.</summary>
    public string? Next()
    {
        Fill();
        var end = _buffer.AsSpan(0, _filled).IndexOf((byte)'\n');
        if (end < 0 && _filled < LongestLine)
        {
            return null;
        }

        var length = end < 0 ? _filled : end;
        var line = Encoding.ASCII.GetString(_buffer, 0, length);
        var taken = Math.Min(_filled, length + 1);
        _buffer.AsSpan(taken, _filled - taken).CopyTo(_buffer);
        _filled -= taken;
        return line;
    }

    /// <summary>Whether anything was said that nobody asked for.</summary>
    public bool HasMore()
    {
        Fill();
        return _filled > 0;
    }

    public unsafe void Go()
    {
        var any = (byte)'\n';
        _ = Libc.Write(_go, &any, 1);
    }

    public void Dispose()
    {
        _ = Libc.Close(_say);
        _ = Libc.Close(_go);
    }

    private unsafe void Fill()
    {
        fixed (byte* start = _buffer)
        {
            var count = _filled == LongestLine ? 0 : (int)Libc.Read(_say, start + _filled, (nuint)(LongestLine - _filled));
            _filled += Math.Max(0, count);
        }
    }

    private static int Made(string folder, string name, UnixFileMode mode)
    {
        var path = Path.Combine(folder, name);
        var descriptor = Libc.MakeFifo(path, (uint)mode) == 0 ? Libc.Open(path, Libc.ReadWrite | Libc.NonBlocking | Libc.CloseOnExec) : -1;
        if (descriptor < 0)
        {
            throw new IOException($"no pipe at {path}: {new Win32Exception(Marshal.GetLastPInvokeError()).Message}");
        }

        File.SetUnixFileMode(path, mode); // whatever the umask here
        return descriptor;
    }
}
