using PerfLab.Runner.Keeping;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>What `clean` takes and leaves, and what `run` takes away by itself.</summary>
public sealed class CleanCommandTests : IDisposable
{
    private const string Session = "run behaving --base time=100 --head time=105 --rounds 0+13 --executor process --seed 7";

    /// <summary>Where nothing but that it ran is asked.</summary>
    private const string Short = "run behaving --base time=100 --head time=105 --rounds 0+2 --executor process --seed 7";

    private readonly LabFixture _lab = new();

    private string Bits => Path.Combine(_lab.Root, ".perf-lab", "builds", "bits");

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task it_shows_what_it_would_take_and_then_takes_it_and_sessions_stay()
    {
        (await _lab.RunAsync(Short)).Code.ShouldBe(0);
        var (code, output, error) = await _lab.RunAsync("clean --dry-run");
        code.ShouldBe(0, error);
        output.ShouldContain("builds: would take 1 build or checkout (0.0 MiB)");
        Directory.GetDirectories(Bits).ShouldHaveSingleItem();

        (await _lab.RunAsync("clean")).Code.ShouldBe(0);
        Directory.Exists(Bits).ShouldBeFalse();
        Directory.GetDirectories(Path.Combine(_lab.Root, ".perf-lab", "sessions")).ShouldHaveSingleItem();
    }

    [Theory]
    [InlineData("")]
    [InlineData(" --out elsewhere")]
    public async Task builds_of_a_session_that_can_be_resumed_stay(string place)
    {
        Nightly.Only("15 seconds");
        var interrupted = await InterruptedAsync(place);
        var (code, output, error) = await _lab.RunAsync("clean");
        code.ShouldBe(0, error);
        output.ShouldContain("builds: still there: 1 build or checkout (0.0 MiB) of sessions that `run --resume` can go on with");

        (code, _, error) = await _lab.RunAsync($"run --resume {interrupted} --executor process");
        code.ShouldBe(0, error);
        (await _lab.RunAsync("clean")).Out.ShouldNotContain("still there");
        Directory.Exists(Bits).ShouldBeFalse();
    }

    [Fact]
    public async Task a_session_takes_away_what_is_old_once_a_day_and_says_so()
    {
        Nightly.Only("20 seconds");
        (await _lab.RunAsync(Short)).Code.ShouldBe(0);
        var own = Directory.GetDirectories(Bits).ShouldHaveSingleItem();
        var old = Directory.CreateDirectory(Path.Combine(Bits, "old")).FullName;
        await File.WriteAllTextAsync(Path.Combine(old, "program"), "x");
        Directory.SetLastWriteTimeUtc(old, DateTime.UtcNow.AddDays(-31));
        Directory.SetLastWriteTimeUtc(own, DateTime.UtcNow.AddDays(-31));
        (await _lab.RunAsync(Short)).Error.ShouldNotContain("no session used");

        File.SetLastWriteTimeUtc(Path.Combine(_lab.Root, ".perf-lab", "builds", "looked-through"), DateTime.UtcNow.AddDays(-2));
        var (code, _, error) = await _lab.RunAsync(Short);
        code.ShouldBe(0, error);
        error.ShouldContain("removed 1 build or checkout (0.0 MiB) that no session used for 30 days, or that were the oldest beyond 5 GiB");
        Directory.GetDirectories(Bits).ShouldHaveSingleItem().ShouldBe(own, "asking for a build makes it the newest");
    }

    [Fact]
    public async Task root_file_systems_that_nobody_used_for_a_day_go()
    {
        var machines = Directory.CreateDirectory(Path.Combine(_lab.Root, ".perf-lab", "machines")).FullName;
        foreach (var (name, days) in new[] { ("old", 2), ("new", 0) })
        {
            await File.WriteAllTextAsync(Path.Combine(machines, $"{name}.tar"), "x");
            File.SetLastWriteTimeUtc(Path.Combine(machines, $"{name}.tar"), DateTime.UtcNow.AddDays(-days));
        }

        var host = Directory.CreateDirectory(Path.Combine(_lab.Root, ".perf-lab", "hosts", "0a1b")).FullName;
        Directory.SetLastWriteTimeUtc(host, DateTime.UtcNow.AddDays(-2));
        await _lab.RunAsync("clean");
        Directory.GetFiles(machines).Select(Path.GetFileName).ShouldBe(["new.tar"]);
        Directory.Exists(host).ShouldBeFalse();
    }

    [Fact]
    public void a_folder_that_is_half_gone_has_another_name()
    {
        var folder = Directory.CreateDirectory(Path.Combine(_lab.Root, "checkouts", "0a1b")).FullName;
        File.WriteAllText(Path.Combine(folder, "file"), "four");
        var stored = StoredFolder.Below(Path.Combine(_lab.Root, "checkouts"), Path.Combine(_lab.Root, "nowhere")).ShouldHaveSingleItem();
        stored.Bytes.ShouldBe(4);
        Directory.Move(folder, folder + ".going"); // the process that took it away died here
        StoredFolder.Below(Path.Combine(_lab.Root, "checkouts")).ShouldHaveSingleItem().Remove().ShouldBeTrue();
        Directory.GetDirectories(Path.Combine(_lab.Root, "checkouts")).ShouldBeEmpty();
    }

    /// <summary>A session that Ctrl-C ended while it measured; its folder.</summary>
    private async Task<string> InterruptedAsync(string place)
    {
        using var stop = new CancellationTokenSource();
        _lab.Hears = line =>
        {
            if (line?.StartsWith("plan: ", StringComparison.Ordinal) == true)
            {
                stop.CancelAfter(TimeSpan.FromSeconds(0.3));
            }
        };
        (await _lab.RunAsync(Session + place, stop.Token)).Code.ShouldBe(130);
        _lab.Hears = _ => { };
        return place.Length > 0 ? Path.Combine(_lab.Root, "elsewhere")
            : Directory.GetDirectories(Path.Combine(_lab.Root, ".perf-lab", "sessions")).ShouldHaveSingleItem();
    }
}
