using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Tests.Execution;

public class JournalWriterTests
{
    /// <summary>A disk that is full at the n-th write, after taking a few bytes of it; or whose sync fails.</summary>
    private sealed class FullDisk(int failingWrite, int failingSync = int.MaxValue) : MemoryStream
    {
        private int _writes;
        private int _syncs;

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            if (_writes++ == failingWrite)
            {
                base.Write(buffer[..(buffer.Length / 2)]);
                throw new IOException("No space left on device");
            }

            base.Write(buffer);
        }

        public void Sync()
        {
            if (_syncs++ == failingSync)
            {
                throw new IOException("Input/output error");
            }
        }
    }

    [Fact]
    public async Task a_disk_full_at_any_write_leaves_a_journal_that_is_readable_up_to_it()
    {
        using var whole = new SessionFixture((0, 13));
        await whole.RunAsync();
        var records = whole.Journal.ToArray().Count(value => value == '\n');
        for (var failing = 1; failing < records; failing++)
        {
            var disk = new FullDisk(failing);
            using var journal = new JournalWriter(disk, disk.Sync);
            var error = await Should.ThrowAsync<JournalException>(() => whole.RunAsync(journal, null, CancellationToken.None));
            error.Message.ShouldContain($"record #{failing}");
            error.Message.ShouldContain("No space left");
            var contents = JournalReader.Read(disk.ToArray());
            contents.Damage.ShouldBeNull();
            contents.NextSeq.ShouldBe(failing);
        }
    }

    [Fact]
    public void after_a_failed_sync_nothing_more_is_written()
    {
        var disk = new FullDisk(int.MaxValue, failingSync: 1);
        using var journal = new JournalWriter(disk, disk.Sync);
        journal.Append(new SessionEnd("one"));
        Should.Throw<JournalException>(() => journal.Append(new SessionEnd("two"))).Message.ShouldContain("durable");
        var length = disk.Length;
        Should.Throw<JournalException>(() => journal.Append(new VoidedRound("c001", Stage.Screen, 0, 0, "x")));
        disk.Length.ShouldBe(length);
    }

    [Fact]
    public void a_journal_is_never_overwritten()
    {
        var path = Path.GetTempFileName();
        Should.Throw<IOException>(() => JournalWriter.Create(path));
        File.Delete(path);
    }
}
