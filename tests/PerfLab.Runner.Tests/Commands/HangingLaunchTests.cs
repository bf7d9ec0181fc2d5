using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>Programs that hang, in each way that people met: each row has its own outcome, and the good ones their verdict.</summary>
[Collection("sessions")]
public sealed class HangingLaunchTests : IDisposable
{
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task a_hang_after_the_result_a_child_that_stays_and_a_rare_hang_are_three_things()
    {
        Nightly.Only("20 seconds");
        string[] arms = ["hang", "hang-after", "leaves-child", "sometimes"];
        var (code, output, error) = await _lab.RunAsync(
            $"run behaving --vary behaviour=good,{string.Join(',', arms)} --rounds 0+20 --seed 7 --executor process --out session");
        code.ShouldBe(1, error);

        var file = await File.ReadAllTextAsync(Path.Combine(_lab.Root, "session", "comparison.json"), TestContext.Current.CancellationToken);
        var rows = Comparison.File.Read(file).Value!.Cells.ToDictionary(row => row.Arm, StringComparer.Ordinal);
        arms.Select(arm => rows[arm].Verdict).ShouldBe([Verdict.Failed, Verdict.Failed, Verdict.Unchanged, Verdict.Unchanged], output);
        (rows["leaves-child"].Rounds, rows["sometimes"].Rounds >= 13).ShouldBe((20, true));
        output.ShouldContain("Failed: behaving, hang-after: ");
        output.ShouldContain("no end after 1 s");

        // What hangs every time is not launched in every round of twenty.
        var journal = await File.ReadAllBytesAsync(Path.Combine(_lab.Root, "session", "samples.ndjson"), TestContext.Current.CancellationToken);
        var launches = JournalReader.Read(journal).Samples!.Launches;
        launches.Count(launch => launch.Arm == "hang-after").ShouldBeLessThan(10);
        launches.Where(launch => launch.Arm == "hang-after").ShouldAllBe(launch => launch.Outcome == Outcome.TimedOut);

        Directory.GetDirectories("/proc").Select(process => Read(Path.Combine(process, "cmdline")))
            .ShouldAllBe(words => words != "sleep\0" + "1009\0", "no child is left");
    }

    private static string Read(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception gone) when (gone is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
