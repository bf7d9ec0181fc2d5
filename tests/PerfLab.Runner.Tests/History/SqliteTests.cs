using Microsoft.Data.Sqlite;
using PerfLab.Core.Model;
using PerfLab.History;

namespace PerfLab.Runner.Tests.History;

public sealed class SqliteHistoryTests : HistoryTests
{
    protected override HistoryPlace Place => new(Path.Combine(Folder, "deep", "history.db"));

    [Fact]
    public void a_file_that_somebody_else_writes_to_is_waited_for_and_then_said_to_be_busy()
    {
        using var store = HistoryStore.Open(Place with { Patience = TimeSpan.FromSeconds(1) });
        using (var other = Open())
        using (other.Database.BeginWriting())
        {
            Should.Throw<HistoryException>(() => Keep(store, Journals.Of("s1"))).CameBack.ShouldContain("another program is writing");
        }

        Keep(store, Journals.Of("s1")).ShouldBe(KeepOutcome.Added);
    }

    [Fact]
    public void a_full_disk_keeps_nothing_of_the_session_and_the_second_run_finishes()
    {
        using var store = Open();
        Keep(store, Journals.Of("s0"));
        store.Database.Run($"PRAGMA max_page_count = {store.Database.Number("PRAGMA page_count")}");
        var full = Should.Throw<HistoryException>(() => KeepMany(store));
        (full.CameBack, full.DoNext).ShouldBe(("the disk is full", "free some space, then run the same command again: nothing is half kept"));
        store.Database.Number("SELECT count(*) FROM journals").ShouldBe(store.List().Count);
        store.Database.Run("PRAGMA max_page_count = 1000000");
        KeepMany(store);
        store.List().Count.ShouldBe(41);
    }

    [Fact]
    public void a_read_only_file_is_said_to_be_so()
    {
        using var store = Open();
        store.Database.Run("PRAGMA query_only = 1");
        Should.Throw<HistoryException>(() => Keep(store, Journals.Of("s1"))).CameBack.ShouldBe("it is read-only");
    }

    [Fact]
    public void a_file_that_is_no_history_is_left_alone()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Place.SqliteFile)!);
        File.WriteAllText(Place.SqliteFile!, new string('x', 5000));
        var refused = Should.Throw<LabException>(Open);
        refused.CameBack.ShouldContain("no history, or damaged");
        refused.DoNext.ShouldContain("history import");
        File.ReadAllText(Place.SqliteFile!).ShouldBe(new string('x', 5000));
    }

    [Fact]
    public void a_place_that_can_not_be_is_said_to_be_none()
    {
        File.WriteAllText(Path.Combine(Folder, "deep"), "a file, where the folder should be");
        Should.Throw<LabException>(Open).DoNext.ShouldContain("perf-lab.yaml");
        Directory.CreateDirectory(Path.Combine(Folder, "folder.db"));
        Should.Throw<LabException>(() => HistoryStore.Open(new(Path.Combine(Folder, "folder.db")))).CameBack.ShouldContain("can't be opened");
    }

    [Fact]
    public void pruning_gives_the_space_back()
    {
        using var store = Open();
        KeepMany(store);
        store.PruneTo(1);
        new FileInfo(Place.SqliteFile!).Length.ShouldBeLessThan(200_000);
    }

    [Fact]
    public void the_file_needs_nothing_beside_it_once_it_is_closed()
    {
        using (var store = Open())
        {
            Keep(store, Journals.Of("s1"));
        }

        SqliteConnection.ClearAllPools();
        Directory.GetFiles(Path.GetDirectoryName(Place.SqliteFile)!).ShouldBe([Place.SqliteFile!]);
    }

    private static void KeepMany(HistoryStore store)
    {
        for (var session = 0; session < 40; session++)
        {
            Keep(store, Journals.Of($"m{session}", slower: 0.0001 * session, day: session));
        }
    }
}

[Collection("history")]
public sealed class PostgresHistoryTests(Postgres postgres) : HistoryTests
{
    private HistoryPlace? _place;

    protected override HistoryPlace Place => _place ??= new(null, NewDatabase());

    [Fact]
    public void a_server_that_is_gone_in_the_middle_keeps_nothing_and_the_second_run_finishes()
    {
        var store = Open();
        Keep(store, Journals.Of("s0"));
        var session = KeptSession.Read(Journals.Of("s1"), "a journal");
        using (var other = Open())
        {
            // The server ends the connection, as it does when it is stopped.
            other.Database.Run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()");
        }

        var gone = Should.Throw<HistoryException>(() => store.Keep(session, () => Journals.Of("s1")));
        gone.DoNext.ShouldContain("run the same command again: nothing is half kept");
        store.Dispose();
        using var again = Open();
        again.List().ShouldHaveSingleItem();
        Keep(again, Journals.Of("s1")).ShouldBe(KeepOutcome.Added);
    }

    [Fact]
    public void a_server_that_is_not_there_is_said_to_be_none_without_the_password()
    {
        var refused = Should.Throw<LabException>(() => HistoryStore.Open(new(null, "Host=/nowhere;Username=lab;Database=x;Password=hunter2")));
        refused.CameBack.ShouldContain("can't be reached");
        refused.ToString().ShouldNotContain("hunter2");
    }

    [Fact]
    public void a_database_that_is_not_there_is_named_with_what_to_do() =>
        Should.Throw<LabException>(() => HistoryStore.Open(new(null, Place.ConnectionString!.Replace("Database=h", "Database=nowhere")))).DoNext.ShouldContain("createdb");

    [Fact]
    public void a_writer_is_waited_for_and_then_said_to_be_busy()
    {
        using var store = HistoryStore.Open(Place with { Patience = TimeSpan.FromSeconds(1) });
        using var other = Open();
        using (other.Database.BeginWriting())
        {
            Should.Throw<HistoryException>(() => Keep(store, Journals.Of("s1"))).CameBack.ShouldContain("another program is writing");
        }

        Keep(store, Journals.Of("s1")).ShouldBe(KeepOutcome.Added);
    }

    [Fact]
    public void a_user_who_may_only_read_is_told_so()
    {
        using var store = Open();
        store.Database.Run("SET default_transaction_read_only = on");
        Should.Throw<HistoryException>(() => Keep(store, Journals.Of("s1"))).CameBack.ShouldBe("it is read-only");
    }

    private string NewDatabase()
    {
        if (Postgres.Missing is { } reason)
        {
            Assert.Skip(reason);
        }

        return postgres.NewDatabase();
    }
}

public sealed class ConnectionStringTests
{
    [Theory]
    [InlineData("not a connection string at all; Password=hunter2")]
    [InlineData("Password=hunter2;Database=x")]
    [InlineData("Port=many;Password=hunter2")]
    public void a_string_that_is_none_is_refused_without_being_repeated(string text)
    {
        var refused = Should.Throw<LabException>(() => HistoryStore.Open(new(null, text)));
        refused.DoNext.ShouldContain("Host=");
        refused.ToString().ShouldNotContain("hunter2");
    }
}
