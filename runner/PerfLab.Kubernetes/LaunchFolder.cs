namespace PerfLab.Kubernetes;

/// <summary>Where files are put that came out of the cluster: fresh for each launch, and the last one's until the next begins.</summary>
internal sealed class LaunchFolder(string home) : IDisposable
{
    private const string ResultFileName = "result.json";

    public string ResultFileOf(string node) => Path.Combine(home, node, ResultFileName);

    /// <summary>Takes the last launch's away; an empty folder for each node.</summary>
    public void Renew(IEnumerable<string> nodes)
    {
        Dispose();
        foreach (var node in nodes)
        {
            Directory.CreateDirectory(Path.Combine(home, node));
        }
    }

    public void Dispose()
    {
        if (Directory.Exists(home))
        {
            Directory.Delete(home, recursive: true);
        }
    }
}
