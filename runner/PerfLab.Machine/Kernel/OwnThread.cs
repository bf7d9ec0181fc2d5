namespace PerfLab.Machine.Kernel;

/// <summary>Work that pins its thread: no thread of the pool comes back from it with another mask.</summary>
internal static class OwnThread
{
    /// <summary>Runs to the end, on a thread that is nobody else's.</summary>
    public static void Run(string name, Action work)
    {
        var thread = new Thread(() => work()) { Name = name };
        thread.Start();
        thread.Join();
    }
}
