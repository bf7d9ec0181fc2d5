using System.ComponentModel;
using System.Runtime.InteropServices;
using PerfLab.Machine.Kernel;

namespace PerfLab.Launching;

/// <summary>Turns a cancelled token into something that poll(2) can wait for.</summary>
internal sealed class WakePipe : IDisposable
{
    private readonly int writeEnd;
    private readonly CancellationTokenRegistration registration;

    public unsafe WakePipe(CancellationToken token)
    {
        var ends = stackalloc int[2];
        if (Libc.Pipe(ends, Libc.CloseOnExec | Libc.NonBlocking) != 0)
        {
            throw new Win32Exception(Marshal.GetLastPInvokeError());
        }

        (ReadEnd, writeEnd) = (ends[0], ends[1]);
        registration = token.Register(Wake);
    }

    public int ReadEnd { get; }

    /// <summary>Until it wakes us, or the time is over, which is counted in milliseconds.</summary>
    public unsafe void Wait(TimeSpan patience)
    {
        var slot = new Libc.PollSlot { Descriptor = ReadEnd, Wanted = Libc.PollIn };
        _ = Libc.Poll(&slot, 1, (int)Math.Clamp(Math.Ceiling(patience.TotalMilliseconds), 0, int.MaxValue));
    }

    public void Dispose()
    {
        // Waits for a callback that is running, so that it can't write into a descriptor that is someone else's by then.
        registration.Dispose();
        _ = Libc.Close(ReadEnd);
        _ = Libc.Close(writeEnd);
    }

    private unsafe void Wake()
    {
        byte any = 1;
        _ = Libc.Write(writeEnd, &any, 1);
    }
}
