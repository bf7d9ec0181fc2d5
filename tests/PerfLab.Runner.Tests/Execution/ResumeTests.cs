using PerfLab.Core.Journal;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Tests.Execution;

/// <summary>A session may end after any record: going on gives the same verdict from complete rounds only.</summary>
public class ResumeTests
{
    private static SessionFixture Session()
    {
        var session = new SessionFixture((6, 13));
        // The value depends on the arm and the round's parameters only, so that a repeated round gives the same value.
        session.Launcher.Script = (_, launch) => new FakeEnd(100 * (1 + SessionFixture.Slower(launch)));
        return session;
    }

    [Fact]
    public async Task cut_after_every_record_in_turn_the_resumed_session_gives_the_same_verdict()
    {
        using var whole = Session();
        await whole.RunAsync();
        var expected = whole.Compare();
        expected.Cells.Single().Verdict.ShouldBe(Verdict.Regressed);
        var journal = whole.Journal.ToArray();
        var ends = journal.Index().Where(item => item.Item == '\n').Select(item => item.Index + 1).ToList();
        for (var records = 1; records < ends.Count; records++)
        {
            var resumed = await ResumeAsync(journal[..ends[records - 1]]);
            resumed.Warnings.Single().ShouldContain("Resumed", customMessage: $"after {records} records");
            (resumed with { Warnings = [] }).Cells.Single().ShouldSatisfyAllConditions(
                row => row.Verdict.ShouldBe(expected.Cells[0].Verdict, $"after {records} records"),
                row => row.Change.ShouldBe(expected.Cells[0].Change, $"after {records} records"),
                row => row.Rounds.ShouldBe(13, $"after {records} records"));
        }
    }

    [Fact]
    public async Task a_half_round_is_struck_whole_and_measured_again()
    {
        using var whole = Session();
        await whole.RunAsync();
        var journal = whole.Journal.ToArray();
        var ends = journal.Index().Where(item => item.Item == '\n').Select(item => item.Index + 1).ToList();
        using var session = Session();
        await RunOnAsync(session, journal[..ends[1]]);
        var voided = session.Read().Voids.ShouldHaveSingleItem();
        voided.Reason.ShouldBe("interrupted");
        session.Read().Launches.Count(launch => launch.Round == voided.Round && launch.Stage == voided.Stage).ShouldBe(3);
    }

    [Fact]
    public async Task a_torn_tail_is_set_aside_and_cut_off()
    {
        var folder = Directory.CreateTempSubdirectory("torn");
        try
        {
            var path = Path.Combine(folder.FullName, "samples.ndjson");
            using var session = Session();
            await session.RunAsync();
            var journal = session.Journal.ToArray();
            await File.WriteAllBytesAsync(path, journal[..^20]);
            var contents = JournalReader.Read(File.ReadAllBytes(path));
            using (JournalWriter.Reopen(path, contents))
            {
            }

            new FileInfo(path).Length.ShouldBe(contents.ValidBytes);
            File.ReadAllBytes(path + ".torn").Length.ShouldBe(journal.Length - 20 - contents.ValidBytes);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static async Task<Comparison> ResumeAsync(byte[] journal)
    {
        using var session = Session();
        await RunOnAsync(session, journal);
        return session.Compare();
    }

    private static async Task RunOnAsync(SessionFixture session, byte[] journal)
    {
        var contents = JournalReader.Read(journal);
        session.Journal.Write(journal);
        using var writer = new JournalWriter(session.Journal, () => { }, contents.NextSeq);
        await session.RunAsync(writer, contents.Samples, CancellationToken.None);
    }
}
