using System.Diagnostics;
using PerfLab.Launching.Turns;
using PerfLab.Machine.Kernel;

namespace PerfLab.Launching.Processes;

/// <summary>
/// Freezes a launch by SIGSTOP to every one of its processes, and reads from the kernel's own clocks whether any of them ran.
/// </summary>
/// <param name="watch">Is told who is frozen before it is, so that nobody stays so when the lab is gone.</param>
internal sealed class ProcessFreezer(int group, LaunchMembers members, FrozenWatch watch) : IFreezer
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    private const char DeepSleep = 'D';

    private readonly Dictionary<int, double> _before = [];
    private IReadOnlyCollection<int> _stopped = [];

    /// <summary>A stopped process uses nothing; the kernel's clock may add what a thread ran on its way to standing still.</summary>
    public double Tolerance => ProcessClocks.AreExact ? 0.001 : ProcessClocks.TickSeconds;

    public bool IsGone { get; private set; }

    public string? Freeze()
    {
        var begun = Stopwatch.GetTimestamp();
        Signal(group, _stopped, Libc.SigStop); // whom we know at once; then whoever is new
        IReadOnlyDictionary<int, ProcessStat> found;
        while (true)
        {
            found = members.Find();
            if (found.Keys.Any(pid => !_stopped.Contains(pid)))
            {
                _stopped = [.. found.Keys];
                watch.TellProcesses(group, _stopped);
                Signal(group, _stopped, Libc.SigStop);
                continue; // who was being forked is found by the next look
            }

            if (found.Where(one => !one.Value.IsStopped).ToList() is not { Count: > 0 } awake)
            {
                break;
            }

            if (Stopwatch.GetElapsedTime(begun) > Patience)
            {
                return Invariant($"process {awake[0].Key} is in state {awake[0].Value.State} a second after SIGSTOP");
            }

            awake.ForEach(one => StopAgain(one.Key, one.Value, found));
            Thread.Sleep(TimeSpan.FromMicroseconds(200));
        }

        _stopped = [.. found.Keys];
        IsGone = !found.ContainsKey(group);
        _before.Clear();
        foreach (var pid in _stopped)
        {
            _before[pid] = ProcessClocks.Seconds(pid) ?? 0;
        }

        return null;
    }

    public double RanSince() => _before.Sum(one => Math.Max(0, (ProcessClocks.Seconds(one.Key) ?? one.Value) - one.Value));

    public string? Thaw()
    {
        Signal(group, _stopped, Libc.SigCont);
        return null;
    }

    public void Kill() => Signal(group, _stopped, Libc.SigKill);

    // Who starts a program by vfork(2) sleeps deeply until that has begun: a child that is stopped just then has to go on for that long.
    private static void StopAgain(int pid, ProcessStat stat, IReadOnlyDictionary<int, ProcessStat> all)
    {
        if (stat.State != DeepSleep)
        {
            _ = Libc.Kill(pid, Libc.SigStop);
            return;
        }

        foreach (var (child, _) in all.Where(one => one.Value.Parent == pid && one.Value.IsStopped))
        {
            _ = Libc.Kill(child, Libc.SigCont);
        }
    }

    // The group in one call: nobody of it sees the others stand still.
    private static void Signal(int group, IEnumerable<int> pids, int signal)
    {
        _ = Libc.Kill(-group, signal);
        foreach (var pid in pids)
        {
            _ = Libc.Kill(pid, signal);
        }
    }
}
