using PerfLab.Building.Manifests;

namespace PerfLab.Runner.Tests.Manifests;

/// <summary>What the lab of an installed tool kept one folder deeper comes up; what is in both places is lost in neither.</summary>
public sealed class InstalledLabTests : IDisposable
{
    private readonly string _store = Directory.CreateTempSubdirectory("data-").FullName;

    public void Dispose() => Directory.Delete(_store, recursive: true);

    [Fact]
    public void everything_comes_up_and_the_old_folder_is_gone()
    {
        Write(".perf-lab/history.db", "old");
        Write(".perf-lab/sessions/one/plan.json", "1");
        Write("sessions/two/plan.json", "2");
        InstalledLab.BringUp(_store).ShouldBeTrue();
        Files().ShouldBe(["history.db", "sessions/one/plan.json", "sessions/two/plan.json"]);
        InstalledLab.BringUp(_store).ShouldBeFalse();
    }

    [Fact]
    public void a_file_that_is_in_both_places_stays_in_both()
    {
        Write(".perf-lab/history.db", "old");
        Write(".perf-lab/sessions/one/plan.json", "1");
        Write("history.db", "new");
        InstalledLab.BringUp(_store);
        Files().ShouldBe([".perf-lab/history.db", "history.db", "sessions/one/plan.json"]);
        File.ReadAllText(Path.Combine(_store, "history.db")).ShouldBe("new");
    }

    [Fact]
    public void a_lab_of_a_repository_keeps_its_things_beside_its_file()
    {
        var config = new LabConfig { Root = _store };
        (config.Store, config.HistoryFile).ShouldBe((Path.Combine(_store, ".perf-lab"), Path.Combine(_store, ".perf-lab/history.db")));
        (config with { History = new() { Sqlite = "../lab.db" } }).HistoryFile
            .ShouldBe(Path.GetFullPath(Path.Combine(_store, "../lab.db")));
    }

    private void Write(string name, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Path.Combine(_store, name))!);
        File.WriteAllText(Path.Combine(_store, name), text);
    }

    private IEnumerable<string> Files() => Directory.EnumerateFiles(_store, "*", SearchOption.AllDirectories)
        .Select(file => Path.GetRelativePath(_store, file)).Order(StringComparer.Ordinal);
}
