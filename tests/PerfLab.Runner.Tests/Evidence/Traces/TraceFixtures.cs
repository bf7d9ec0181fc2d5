using System.IO.Compression;

namespace PerfLab.Runner.Tests.Evidence.Traces;

/// <summary>Real traces of channel-actors, JIT events only, packed; names are "runtime patch-PGO on or off".</summary>
internal static class TraceFixtures
{
    public static TheoryData<string> All { get; } = ["8.0.33-1", "9.0.22-0", "10.0.14-1"];

    public static byte[] Read(string name)
    {
        using var packed = File.OpenRead(Path.Combine(AppContext.BaseDirectory, "fixtures", "traces", name + ".nettrace.gz"));
        using var unpacking = new GZipStream(packed, CompressionMode.Decompress);
        using var trace = new MemoryStream();
        unpacking.CopyTo(trace);
        return trace.ToArray();
    }
}
