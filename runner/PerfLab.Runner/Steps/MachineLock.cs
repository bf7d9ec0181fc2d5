using PerfLab.Runner.Commands;

namespace PerfLab.Runner.Steps;

/// <summary>One measuring session on a machine at a time: two would disturb each other and both publish nonsense.</summary>
public static class MachineLock
{
    /// <summary>Held until disposed; the kernel frees it when the process dies.</summary>
    public static IDisposable Take(string path)
    {
        try
        {
            return new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new LabException("measuring on this machine", $"machine busy: {exception.Message}",
                "wait until the other perf-lab session has ended", exception);
        }
    }
}
