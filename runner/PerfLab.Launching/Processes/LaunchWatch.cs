using System.Diagnostics;
using System.Runtime.InteropServices;
using PerfLab.Machine.Kernel;

namespace PerfLab.Launching.Processes;

/// <summary>Why the lab itself ended a program.</summary>
internal enum Intervention { None, Deadline, Flood, Cancelled }

/// <summary>What was seen from start to end.</summary>
internal sealed record Watched(Intervention Intervention, double WallSeconds);

/// <summary>When to step in.</summary>
internal sealed record WatchLimits(TimeSpan Timeout, TimeSpan Grace, long OutputBytes);

/// <summary>
/// Waits for output, exit, deadline and cancellation in one poll(2): no thread pool, no wake-ups of its own while the program works.
/// </summary>
internal sealed class LaunchWatch(SpawnedProgram program, WatchLimits limits, int cancelDescriptor)
{
    private const int NobodyWaits = -1;

    // After the group is dead its pipes end at once; only something that left the group can hold them longer.
    private static readonly TimeSpan DrainPatience = TimeSpan.FromSeconds(1);
    private readonly byte[] buffer = new byte[64 * 1024];
    private readonly Libc.PollSlot[] slots =
    [
        new() { Descriptor = program.PidFd, Wanted = Libc.PollIn },
        new() { Descriptor = cancelDescriptor, Wanted = Libc.PollIn },
        new() { Descriptor = program.Output, Wanted = Libc.PollIn },
        new() { Descriptor = program.Error, Wanted = Libc.PollIn },
    ];

    public OutputTail Tail { get; } = new();

    /// <summary>What the .NET runtime prints before it aborts because the managed heap is at its limit.</summary>
    public PhraseWatch OutOfMemory { get; } = new("Out of memory.");

    /// <summary>Returns when the program has ended; its group may still have members.</summary>
    public Watched UntilExit(long started)
    {
        var intervention = Intervention.None;
        var killAt = TimeSpan.MaxValue;
        while (true)
        {
            var elapsed = Stopwatch.GetElapsedTime(started);
            Wait((intervention == Intervention.None ? limits.Timeout : killAt) - elapsed);
            elapsed = Stopwatch.GetElapsedTime(started);
            if (slots[0].Seen != 0)
            {
                return new Watched(intervention, elapsed.TotalSeconds);
            }

            Drain();
            if (intervention == Intervention.None && Reason(elapsed) is var reason and not Intervention.None)
            {
                intervention = reason;
                killAt = elapsed + limits.Grace;
                Stop(politely: reason != Intervention.Flood);
                slots[1].Descriptor = NobodyWaits;
            }
            else if (elapsed >= killAt)
            {
                Stop(politely: false);
                killAt = TimeSpan.MaxValue;
            }
        }
    }

    /// <summary>Reads what is still in the pipes; call when the group is dead.</summary>
    public void ReadRest()
    {
        slots[0].Descriptor = slots[1].Descriptor = NobodyWaits;
        var started = Stopwatch.GetTimestamp();
        while ((slots[2].Descriptor >= 0 || slots[3].Descriptor >= 0) && Stopwatch.GetElapsedTime(started) < DrainPatience
            && Tail.Total <= limits.OutputBytes)
        {
            Wait(DrainPatience - Stopwatch.GetElapsedTime(started));
            Drain();
        }
    }

    private Intervention Reason(TimeSpan elapsed) =>
        slots[1].Seen != 0 ? Intervention.Cancelled
        : Tail.Total > limits.OutputBytes ? Intervention.Flood
        : elapsed >= limits.Timeout ? Intervention.Deadline
        : Intervention.None;

    private void Stop(bool politely)
    {
        program.SignalGroup(politely ? Libc.SigTerm : Libc.SigKill);

        // A stopped process acts on SIGTERM only once it runs again.
        program.SignalGroup(Libc.SigCont);
    }

    private unsafe void Wait(TimeSpan patience)
    {
        var milliseconds = Math.Clamp(Math.Ceiling(patience.TotalMilliseconds), 0, int.MaxValue);
        fixed (Libc.PollSlot* first = slots)
        {
            if (Libc.Poll(first, (nuint)slots.Length, (int)milliseconds) <= 0)
            {
                for (var i = 0; i < slots.Length; i++)
                {
                    slots[i].Seen = 0;
                }
            }
        }
    }

    private void Drain()
    {
        for (var i = 2; i < slots.Length; i++)
        {
            if (slots[i].Seen != 0 && !ReadOnce(slots[i].Descriptor, isError: i == 3))
            {
                slots[i].Descriptor = NobodyWaits;
            }
        }
    }

    private unsafe bool ReadOnce(int descriptor, bool isError)
    {
        fixed (byte* start = buffer)
        {
            var count = (int)Libc.Read(descriptor, start, (nuint)buffer.Length);
            if (count <= 0)
            {
                return count < 0 && Marshal.GetLastPInvokeError() == Libc.Interrupted;
            }

            Tail.Add(buffer.AsSpan(0, count));
            if (isError)
            {
                OutOfMemory.Add(buffer.AsSpan(0, count));
            }

            return true;
        }
    }
}
