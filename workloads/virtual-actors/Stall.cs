namespace PerfLab.Workloads.VirtualActors;

/// <summary>
/// A known effect for tests and proofs: once a second nothing on the side under test answers for so many milliseconds, as if it
/// collected garbage for that long.
/// </summary>
internal static class Stall
{
    private static readonly ManualResetEventSlim Open = new(initialState: true);

    /// <param name="milliseconds">0: never.</param>
    public static void Begin(int milliseconds)
    {
        if (milliseconds > 0)
        {
            new Thread(() => Run(milliseconds)) { IsBackground = true, Name = "stall", Priority = ThreadPriority.AboveNormal }.Start();
        }
    }

    public static void WaitForEnd() => Open.Wait();

    private static void Run(int milliseconds)
    {
        while (true)
        {
            Thread.Sleep(1000 - milliseconds);
            Open.Reset();
            Thread.Sleep(milliseconds);
            Open.Set();
        }
    }
}
