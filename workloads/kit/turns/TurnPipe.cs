using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace PerfLab.WorkloadKit;

/// <summary>
/// The two pipes between a launch that takes turns and the lab: one line out at each border, one byte in to go on. Straight to the kernel,
/// written by hand and compiled once: the framework's own streams and texts would reach their last tier just while slices are measured.
/// </summary>
internal sealed class TurnPipe
{
    private const int WriteOnly = 1, CloseOnExec = 0x80000, Interrupted = 4;

    private static readonly byte[] WarmLine = [(byte)'w', (byte)'a', (byte)'r', (byte)'m', (byte)'\n'];
    private static readonly byte[] SliceWord = [(byte)'s', (byte)'l', (byte)'i', (byte)'c', (byte)'e'];

    private readonly int _say, _go;
    private readonly byte[] _line = new byte[96];
    private readonly byte[] _digits = new byte[20];
    private readonly byte[] _answer = new byte[1];
    private int _length;

    /// <exception cref="RefusedException">One of them can't be opened.</exception>
    public TurnPipe(string say, string go)
    {
        _say = Opened(say, WriteOnly | CloseOnExec);
        _go = Opened(go, CloseOnExec);
        if (_say < 0 || _go < 0)
        {
            throw new RefusedException($"the pipes to take turns by, {say} and {go}, can't be opened.");
        }
    }

    /// <summary>The warm-up is over.</summary>
    public void SayWarm() => Send(WarmLine, WarmLine.Length);

    /// <summary>A slice is done.</summary>
    /// <param name="work">Units of work, above 0.</param>
    /// <param name="nanoseconds">That they took.</param>
    /// <param name="processor">Nanoseconds of processor time of all threads; below 0 where nobody can tell.</param>
    [MethodImpl(Recorder.CompiledOnce)]
    public void SaySlice(long work, long nanoseconds, long processor)
    {
        _length = 0;
        for (; _length < SliceWord.Length; _length++)
        {
            _line[_length] = SliceWord[_length];
        }

        Append(work);
        Append(nanoseconds);
        if (processor >= 0)
        {
            Append(processor);
        }

        _line[_length++] = (byte)'\n';
        Send(_line, _length);
    }

    /// <summary>Stands still until the lab says to go on.</summary>
    /// <exception cref="RefusedException">The lab is gone.</exception>
    [MethodImpl(Recorder.CompiledOnce)]
    public void WaitToGo()
    {
        long count;
        do
        {
            count = (long)Read(_go, _answer, (IntPtr)1);
        }
        while (count < 0 && Marshal.GetLastWin32Error() == Interrupted);
        if (count <= 0)
        {
            throw new RefusedException("the lab that gave turns is gone.");
        }
    }

    [MethodImpl(Recorder.CompiledOnce)]
    private void Append(long number)
    {
        _line[_length++] = (byte)' ';
        var digits = 0;
        do
        {
            _digits[digits++] = (byte)('0' + (number % 10));
            number /= 10;
        }
        while (number > 0);
        while (digits > 0)
        {
            _line[_length++] = _digits[--digits];
        }
    }

    [MethodImpl(Recorder.CompiledOnce)]
    private void Send(byte[] bytes, int count)
    {
        while ((long)Write(_say, bytes, (IntPtr)count) < 0)
        {
            if (Marshal.GetLastWin32Error() != Interrupted)
            {
                throw new RefusedException("the lab that gave turns is gone.");
            }
        }
    }

    // The kernel takes a path as bytes that end with a zero.
    private static int Opened(string path, int flags) => Open(Encoding.UTF8.GetBytes(path + "\0"), flags);

    [DllImport("libc", EntryPoint = "open", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Open(byte[] path, int flags);

    [DllImport("libc", EntryPoint = "read", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern IntPtr Read(int descriptor, byte[] buffer, IntPtr count);

    [DllImport("libc", EntryPoint = "write", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern IntPtr Write(int descriptor, byte[] buffer, IntPtr count);
}
