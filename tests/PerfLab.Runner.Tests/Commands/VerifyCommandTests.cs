using System.Text;
using System.Text.Json.Nodes;
using PerfLab.Core.Journal;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>
/// A real session, then its files as somebody might change them. Whoever forges a line gives it its check sum and its number: what finds it
/// is the seed, by which order and padding were drawn before anything was launched.
/// </summary>
public sealed class VerifyCommandTests(MeasuredLab measured) : IClassFixture<MeasuredLab>
{
    private string Folder => Path.Combine(measured.Lab.Root, "session");

    [Fact]
    public async Task a_session_as_it_was_written_is_verified()
    {
        var (code, output, error) = await measured.Lab.RunAsync("verify session");
        code.ShouldBe(0, output + error);
        output.Split('\n').Where(line => line.StartsWith("  ok", StringComparison.Ordinal)).Count().ShouldBe(5, output);
        output.ShouldEndWith("verified: nothing contradicts it\n");
    }

    [Theory]
    [InlineData("one byte", "journal", "journal damaged at record #")]
    [InlineData("swapped arms", "order", "launched ")]
    [InlineData("cut round", "order", "1 of 13 confirm rounds are missing, the first is round 13")]
    [InlineData("cut end", "journal", "it has no end")]
    [InlineData("another seed", "plan", "its seed is 8, the plan's is 7")]
    [InlineData("another pad", "order", "bytes of padding, drawn were")]
    [InlineData("another machine's builds", "builds", "the journal names build sha256:")]
    [InlineData("a better verdict", "verdict", "c001, head, time: the journal gives +5.0 %, regressed, comparison.json says otherwise")]
    [InlineData("a row left out", "verdict", "the journal gives")]
    [InlineData("a faster head", "verdict", "comparison.json says otherwise")]
    [InlineData("another unit", "verdict", "comparison.json says otherwise (unit)")]
    [InlineData("less noise", "verdict", "comparison.json says otherwise (noise)")]
    [InlineData("other counts", "verdict", "the counts of comparison.json are not those of its rows")]
    [InlineData("another session", "verdict", "comparison.json is of another session or plan")]
    [InlineData("another plan", "plan", "the plan was changed after it was made")]
    [InlineData("another margin", "plan", "its policy is not the plan's")]
    public async Task each_change_is_named(string change, string where, string said)
    {
        using var copy = new LabFixture();
        foreach (var file in Directory.EnumerateFiles(Folder))
        {
            Directory.CreateDirectory(Path.Combine(copy.Root, "session"));
            File.Copy(file, Path.Combine(copy.Root, "session", Path.GetFileName(file)));
        }

        Forge(Path.Combine(copy.Root, "session"), change);
        var (code, output, error) = await copy.RunAsync("verify session");
        code.ShouldBe(1, output + error);
        output.Split('\n').ShouldContain(line => line.StartsWith($"  FLAW  {where,-8} ", StringComparison.Ordinal) && line.Contains(said, StringComparison.Ordinal), output);
    }

    [Fact]
    public async Task files_that_are_not_there_are_said_to_be_unchecked()
    {
        using var copy = new LabFixture();
        Directory.CreateDirectory(Path.Combine(copy.Root, "session"));
        foreach (var name in new[] { "plan.json", "samples.ndjson" })
        {
            File.Copy(Path.Combine(Folder, name), Path.Combine(copy.Root, "session", name));
        }

        var (code, output, _) = await copy.RunAsync("verify session");
        code.ShouldBe(0, output);
        output.ShouldContain("  -     builds   there is no builds.json");
        output.ShouldContain("  -     verdict  there is no comparison.json");
        (await copy.RunAsync("verify session/samples.ndjson")).Out.ShouldBe(output);
        File.Delete(Path.Combine(copy.Root, "session", "plan.json"));
        (_, output, _) = await copy.RunAsync("verify session");
        output.ShouldContain("  -     plan     there is no plan.json");
        output.ShouldContain("  -     verdict  it needs the plan");
        (await copy.RunAsync("verify -")).Error.ShouldContain("name a folder that holds samples.ndjson");
        (await copy.RunAsync("verify .")).Error.ShouldContain("holds no samples.ndjson");
    }

    private static void Forge(string folder, string change)
    {
        var journal = Path.Combine(folder, "samples.ndjson");
        var records = File.ReadAllLines(journal).Select(line => JsonNode.Parse(line)!.AsObject()).ToList();
        bool IsLaunch(JsonObject record) => record["kind"]!.GetValue<string>() == "launch";
        switch (change)
        {
            case "one byte":
                var bytes = File.ReadAllBytes(journal);
                bytes[bytes.Length / 2] ^= 1;
                File.WriteAllBytes(journal, bytes);
                return;
            case "swapped arms":
                records.Where(IsLaunch).ToList().ForEach(launch => launch["arm"] = launch["arm"]!.GetValue<string>() == "base" ? "head" : "base");
                break;
            case "cut round":
                records.RemoveAll(record => IsLaunch(record) && record["round"]!.GetValue<int>() == 12);
                break;
            case "cut end":
                records.RemoveAt(records.Count - 1);
                break;
            case "another seed":
                records[0]["seed"] = 8;
                break;
            case "another pad":
                records.First(IsLaunch)["pad"] = (records.First(IsLaunch)["pad"]!.GetValue<int>() + 1) % 4096;
                break;
            case "another margin":
                records[0]["policy"]!["margin"] = 0.2;
                break;
            case "a faster head":
                records.Where(record => IsLaunch(record) && record["arm"]!.GetValue<string>() == "head").ToList().ForEach(launch => launch["metrics"]!["time"] = 90);
                break;
            case "another machine's builds":
                Edit(Path.Combine(folder, "builds.json"), file => file["arms"]![0]!["build"]!["identity"] = "sha256:" + new string('a', 64));
                return;
            case "a better verdict":
                Edit(Path.Combine(folder, "comparison.json"), file => Primary(file)["verdict"] = "unchanged");
                return;
            case "another unit":
                Edit(Path.Combine(folder, "comparison.json"), file => Primary(file)["unit"] = "d");
                return;
            case "less noise":
                Edit(Path.Combine(folder, "comparison.json"), file => Primary(file)["noise"] = 1e-9);
                return;
            case "other counts":
                Edit(Path.Combine(folder, "comparison.json"), file => file["summary"]!["regressed"] = 7);
                return;
            case "another session":
                Edit(Path.Combine(folder, "comparison.json"), file => file["session"] = "another");
                return;
            case "a row left out":
                Edit(Path.Combine(folder, "comparison.json"), file => file["cells"]!.AsArray().Remove(Primary(file)));
                return;
            case "another plan":
                File.WriteAllText(Path.Combine(folder, "plan.json"), File.ReadAllText(Path.Combine(folder, "plan.json")).Replace("\"seed\": 7", "\"seed\": 9", StringComparison.Ordinal).Replace("\"seed\":7", "\"seed\":9", StringComparison.Ordinal));
                return;
            default:
                throw new ArgumentOutOfRangeException(nameof(change), change, "no such change");
        }

        File.WriteAllText(journal, string.Concat(records.Select(Line)));
    }

    private static JsonObject Primary(JsonObject comparison) => comparison["cells"]!.AsArray().First(row => row!["primary"]!.GetValue<bool>())!.AsObject();

    private static void Edit(string path, Action<JsonObject> edit)
    {
        var file = JsonNode.Parse(File.ReadAllText(path))!.AsObject();
        edit(file);
        File.WriteAllText(path, file.ToJsonString());
    }

    /// <summary>With the number and the check sum that belong to it.</summary>
    private static string Line(JsonObject record, int seq)
    {
        record["seq"] = seq;
        record.Remove("crc");
        var body = record.ToJsonString()[..^1];
        return $"{body},\"crc\":\"{Crc.Text(Encoding.UTF8.GetBytes(body))}\"}}\n";
    }
}

/// <summary>One session for all tests of the class: head is 5 % slower.</summary>
public sealed class MeasuredLab : IAsyncLifetime
{
    public LabFixture Lab { get; } = new();

    public async ValueTask InitializeAsync()
    {
        var (code, _, error) = await Lab.RunAsync("run behaving --base time=100 --head time=105 --rounds 0+13 --executor process --out session --seed 7");
        code.ShouldBe(0, error);
    }

    public ValueTask DisposeAsync()
    {
        Lab.Dispose();
        return ValueTask.CompletedTask;
    }
}
