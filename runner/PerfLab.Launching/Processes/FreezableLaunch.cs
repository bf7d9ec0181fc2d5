using PerfLab.Launching.Turns;

namespace PerfLab.Launching.Processes;

/// <summary>Starts a launch that can be frozen from its first moment on.</summary>
internal static class FreezableLaunch
{
    /// <summary>How it ends, and what freezes it: null when it could not be started.</summary>
    /// <param name="watch">Knows its processes before anything of it is frozen.</param>
    /// <param name="launch">Runs to its end, and says by what its processes are known as soon as they are there.</param>
    /// <param name="stop">Of the launch.</param>
    public static (Task<LaunchEnd> End, Task<IFreezer?> Freezer) Start(
        FrozenWatch watch, Func<Action<LaunchMarks>, LaunchEnd> launch, CancellationToken stop)
    {
        var freezer = new TaskCompletionSource<IFreezer?>(TaskCreationOptions.RunContinuationsAsynchronously);
        var end = ProcessLauncher.OnOwnThread(
            () =>
            {
                try
                {
                    return launch(marks =>
                    {
                        watch.TellProcesses(marks.Session, []);
                        freezer.SetResult(new ProcessFreezer(marks.Session, new(marks), watch));
                    });
                }
                finally
                {
                    freezer.TrySetResult(null);
                }
            },
            stop);
        return (end, freezer.Task);
    }
}
