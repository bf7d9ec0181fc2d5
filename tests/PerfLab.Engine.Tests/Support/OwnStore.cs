namespace PerfLab.Engine.Tests.Support;

/// <summary>A store of one test: base images are the shared one's, so that none is made.</summary>
internal sealed class OwnStore : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("perf-lab-store-");

    public OwnStore()
    {
        var bases = System.IO.Path.Combine(EngineFixture.StoreFolder, "bases");
        if (Directory.Exists(bases))
        {
            Directory.CreateSymbolicLink(System.IO.Path.Combine(Path, "bases"), bases);
        }
    }

    public string Path => _folder.FullName;

    public long BytesIn(string name) =>
        new DirectoryInfo(System.IO.Path.Combine(Path, name)).EnumerateFiles("*", SearchOption.AllDirectories).Sum(file => file.Length);

    public void Dispose() => _folder.Delete(recursive: true);
}
