using PerfLab.Core.Trends;
using PerfLab.History;

namespace PerfLab.Runner.Tests.History;

public sealed class ImportTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("import-").FullName;
    private readonly HistoryStore _store;

    public ImportTests() => _store = HistoryStore.Open(new(Path.Combine(_folder, "history.db")));

    public void Dispose()
    {
        _store.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void folders_of_sessions_are_kept_and_a_second_import_adds_nothing()
    {
        for (var day = 0; day < 5; day++)
        {
            Write($"sessions/s{day}/samples.ndjson", Journals.Of($"s{day}", day: day));
        }

        var first = Run("sessions");
        (first.Added, first.AlreadyThere, first.Samples, first.Problems.Count).ShouldBe((5, 0, 200, 0));
        var second = Run("sessions");
        (second.Added, second.AlreadyThere, second.Samples, second.Problems.Count).ShouldBe((0, 5, 0, 0));
    }

    [Fact]
    public void every_bad_journal_is_named_with_its_reason_and_keeps_no_good_one_out()
    {
        var good = Journals.Of("good");
        Write("in/00-good.ndjson", good);
        Write("in/01-cut-in-a-line.ndjson", [.. Journals.Of("cut", day: 1)[..^40]]);
        Write("in/02-cut-in-the-middle.ndjson", [.. Journals.Of("hole", day: 1)[..3000], .. Journals.Of("hole", day: 1)[3100..]]);
        Write("in/03-flipped.ndjson", Flipped(Journals.Of("flipped", day: 1)));
        Write("in/04-empty.ndjson", []);
        Write("in/05-unknown-schema.ndjson", System.Text.Encoding.UTF8.GetBytes("""{"kind":"session","seq":0,"schema":"perf-lab/samples/9","crc":"00000000"}""" + "\n"));
        Write("in/06-text.ndjson", "no journal at all"u8.ToArray());
        Write("in/07-doubled.ndjson", good);
        Write("in/08-other-of-the-same-id.ndjson", Journals.Of("good", slower: 0.3));
        using (var huge = File.Create(Path.Combine(_folder, "in", "09-huge.ndjson")))
        {
            huge.SetLength(10L << 30);
        }

        File.CreateSymbolicLink(Path.Combine(_folder, "in", "10-link.ndjson"), Path.Combine(_folder, "in", "00-good.ndjson"));
        Write("in/11-last.ndjson", Journals.Of("last", day: 2));

        var report = Run("in");

        (report.Added, report.AlreadyThere).ShouldBe((3, 1), "the two good ones, and the one that was cut in its last line; the doubled one is there");
        _store.List().Select(line => (line.Id, line.Complete)).ShouldBe([("good", true), ("cut", false), ("last", true)]);
        _store.Journal("good", Journals.Start).ShouldBe(good);
        report.Problems.Select(problem => problem.Where[(_folder.Length + 4)..][..2]).ShouldBe(["02", "03", "04", "05", "06", "08", "09"]);
        string[] reasons = ["crc", "crc", "is empty", "crc", "crc", "another journal under the same id and start", "has 10240 MiB"];
        report.Problems.Zip(reasons).ShouldAllBe(pair => pair.First.ToString().Contains(pair.Second));
    }

    [Fact]
    public void a_journal_of_another_version_is_refused_by_its_schema()
    {
        var line = """{"kind":"session","seq":0,"schema":"perf-lab/samples/9","session":"s","plan":"p","seed":1,"started":"2026-03-01T14:05:09.123Z","executor":"x","machine":{},"cells":[]""";
        Write("new.ndjson", System.Text.Encoding.UTF8.GetBytes($"{line},\"crc\":\"{Core.Journal.Crc.Text(System.Text.Encoding.UTF8.GetBytes(line))}\"}}\n"));
        Run("new.ndjson").Problems.ShouldHaveSingleItem().ToString().ShouldContain("perf-lab/samples/1");
        _store.List().ShouldBeEmpty();
    }

    [Fact]
    public void what_is_not_there_is_named() => Run("nowhere").Problems.ShouldHaveSingleItem().ToString().ShouldContain("there is no such file or folder");

    [Fact]
    public void an_export_is_the_same_bytes_each_time_and_a_history_made_from_it_exports_them_again()
    {
        HistoryTests.TrendSessions(_store, 16, step: 10);
        HistoryTests.Look(_store);
        Bundle.Export(_store, Path.Combine(_folder, "one")).ShouldBe(16);
        Bundle.Export(_store, Path.Combine(_folder, "one")).ShouldBe(0);

        using (var copy = HistoryStore.Open(new(Path.Combine(_folder, "copy.db"))))
        {
            Import.Run(copy, [Path.Combine(_folder, "one")], default).Added.ShouldBe(16);
            TrendState.File.Write(copy.State()!).ShouldBe(TrendState.File.Write(_store.State()!));
            Bundle.Export(copy, Path.Combine(_folder, "two"));
        }

        Contents("two").ShouldBe(Contents("one"));
        var names = Contents("one").Select(file => file.Name).ToList();
        names.ShouldContain("trend.json");
        names.Where(name => name != "trend.json").ShouldAllBe(name => name.StartsWith("2026/202603") && name.Length == "2026/20260301-120000-0123456789abcdef.ndjson".Length);
    }

    [Fact]
    public void each_shard_of_a_plan_is_a_session_of_its_own_and_leaves_as_it_came()
    {
        byte[] Shard(int number) => Journals.Of(
            $"shard-{number}", workload: $"workload-{number}", arms: [("anchor", "0000000"), ("head", "bbbbbbb")], shard: number);
        Write("shards/1.ndjson", Shard(1));
        Write("shards/2.ndjson", Shard(2));
        var report = Run("shards");
        (report.Added, report.Problems.Count).ShouldBe((2, 0));
        Bundle.Export(_store, Path.Combine(_folder, "one")).ShouldBe(2);

        using var copy = HistoryStore.Open(new(Path.Combine(_folder, "copy.db")));
        Import.Run(copy, [Path.Combine(_folder, "one")], TestContext.Current.CancellationToken).Added.ShouldBe(2);
        copy.List().Select(line => line.Id).Order(StringComparer.Ordinal).ShouldBe(["shard-1", "shard-2"]);
        copy.Journal("shard-1", Journals.Start).ShouldBe(Shard(1));
        copy.TrendSeries().Select(series => series.Name.Workload).Order(StringComparer.Ordinal).ShouldBe(["workload-1", "workload-2"]);
        Bundle.Export(copy, Path.Combine(_folder, "two"));
        Contents("two").ShouldBe(Contents("one"));
    }

    [Fact]
    public void only_new_files_of_a_bundle_are_read()
    {
        HistoryTests.TrendSessions(_store, 3, step: 99);
        var bundle = Path.Combine(_folder, "bundle");
        Bundle.Export(_store, bundle);
        // Known by its name alone: its contents would be refused.
        File.WriteAllText(Directory.GetFiles(bundle, "*.ndjson", SearchOption.AllDirectories).Order().First(), "changed");
        Write("bundle/2026/new.ndjson", Journals.Of("new", day: 50));
        var report = Run("bundle");
        (report.Added, report.AlreadyThere, report.Problems.Count).ShouldBe((1, 3, 0));
    }

    [Fact]
    public void a_state_that_a_stranger_wrote_is_refused_and_an_older_one_does_not_replace_ours()
    {
        HistoryTests.TrendSessions(_store, 16, step: 10);
        var known = TrendState.File.Write(HistoryTests.Look(_store));
        Write("stranger/trend.json", "{ \"schema\": \"perf-lab/trend/1\", \"script\": 1 }"u8.ToArray());
        Run("stranger").Problems.ShouldNotBeEmpty();
        Write("older/trend.json", System.Text.Encoding.UTF8.GetBytes(TrendState.File.Write(TrendLook.Look([], null, (_, _, _) => null))));
        Run("older");
        TrendState.File.Write(_store.State()!).ShouldBe(known);
    }

    private static byte[] Flipped(byte[] journal)
    {
        journal[journal.Length / 2] ^= 1;
        return journal;
    }

    private ImportReport Run(string path) => Import.Run(_store, [Path.Combine(_folder, path)], TestContext.Current.CancellationToken);

    private void Write(string path, byte[] content)
    {
        var file = Path.Combine(_folder, path);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllBytes(file, content);
    }

    private List<(string Name, string Hash)> Contents(string folder) =>
    [
        .. Directory.GetFiles(Path.Combine(_folder, folder), "*", SearchOption.AllDirectories).Order(StringComparer.Ordinal)
            .Select(path => (Path.GetRelativePath(Path.Combine(_folder, folder), path), Convert.ToHexString(System.Security.Cryptography.SHA256.HashData(File.ReadAllBytes(path))))),
    ];
}
