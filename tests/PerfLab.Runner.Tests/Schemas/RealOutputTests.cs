using PerfLab.Runner.Tests.Commands;

namespace PerfLab.Runner.Tests.Schemas;

/// <summary>What a real session wrote is what the schemas say.</summary>
public sealed class RealOutputTests : IDisposable
{
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task every_file_of_a_session_is_valid()
    {
        // One arm measures, one is refused, one fails: every kind of launch record is there.
        await _lab.RunAsync("run both --vary behaviour=good,nan,exit-7 --rounds 0+13 --executor process --out session");
        Mistakes("plan").ShouldBeEmpty();
        Mistakes("builds").ShouldBeEmpty();
        Mistakes("comparison").ShouldBeEmpty();
        var samples = new JsonSchemaFile("samples");
        var lines = File.ReadLines(Path.Combine(_lab.Root, "session", "samples.ndjson")).ToList();
        lines.Count.ShouldBeGreaterThan(13 * 2);
        lines.SelectMany(line => samples.Mistakes(line).Select(mistake => $"{mistake} in {line}")).ShouldBeEmpty();
    }

    private IReadOnlyList<string> Mistakes(string name) =>
        new JsonSchemaFile(name).Mistakes(File.ReadAllText(Path.Combine(_lab.Root, "session", name + ".json")));
}
