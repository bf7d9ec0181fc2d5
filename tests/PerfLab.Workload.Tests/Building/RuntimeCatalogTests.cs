using PerfLab.Runner.Building;

namespace PerfLab.Workload.Tests.Building;

public sealed class RuntimeCatalogTests : IDisposable
{
    private const string Pack = "microsoft.netcore.app.runtime.linux-x64";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("perf-lab-runtimes-");
    private readonly SettableClock _clock = new();

    [Fact]
    public void listing_starts_nothing_and_says_what_was_not_tried()
    {
        Unpack("8.0.31");
        var lanes = new RuntimeCatalog(Store, new DotnetCli("/no/such/dotnet")) { Packages = Packages }.List();
        lanes.Select(lane => lane.Lane.Name).ShouldBe(["net10.0", "net9.0", "net8.0", "net7.0", "net6.0", "netcoreapp3.1"]);
        var net8 = lanes.Single(lane => lane.Lane.Name == "net8.0");
        net8.Patches.ShouldContain(("8.0.31", PackStatus.Available));
        net8.Patches.ShouldContain(("8.0.33", PackStatus.NotTried));
    }

    [Fact]
    public void a_lane_means_its_newest_patch_that_can_be_had()
    {
        Unpack("8.0.31");
        Unpack("8.0.30");
        var (runtime, problem) = Catalog(restores: "").Resolve("net8.0");
        problem.ShouldBeNull();
        runtime!.Patch.ShouldBe("8.0.31");
        runtime.Name.ShouldBe("net8.0.31");
        runtime.Unavailable.ShouldBeNull();
    }

    [Fact]
    public void a_patch_is_exactly_that_patch_known_or_not()
    {
        Catalog(restores: "8.0.7").Resolve("net8.0.7").Runtime!.ShouldSatisfyAllConditions(
            runtime => runtime.Patch.ShouldBe("8.0.7"),
            runtime => runtime.Lane.ShouldBe("net8.0"),
            runtime => runtime.Unavailable.ShouldBeNull());
        Catalog(restores: "").Resolve("net8.0.8").Runtime!.Unavailable.ShouldNotBeNull().ShouldContain("Known patches of net8.0: 8.0.33");
    }

    [Fact]
    public void a_lane_without_any_pack_is_unavailable_by_name()
    {
        var runtime = Catalog(restores: "").Resolve("net6.0").Runtime!;
        runtime.Unavailable.ShouldNotBeNull().ShouldContain("runtime net6.0 can't be had here");
        runtime.Unavailable!.ShouldContain("6.0.36");
    }

    [Theory]
    [InlineData("net80", "net8.0")]
    [InlineData("net5.0", "net")]
    [InlineData("net8.0.x", "net8.0")]
    [InlineData("8.0.33", "net8.0.33")]
    [InlineData("", "net8.0")]
    public void a_word_that_is_no_runtime_gets_the_nearest_ones(string text, string nearest)
    {
        var (runtime, problem) = Catalog(restores: "").Resolve(text);
        runtime.ShouldBeNull();
        problem.ShouldNotBeNull().ToString().ShouldContain(nearest);
    }

    [Fact]
    public void a_no_is_believed_for_a_day_and_a_yes_for_ever()
    {
        Catalog(restores: "").Resolve("net7.0.20").Runtime!.Unavailable.ShouldNotBeNull();
        Catalog(restores: "7.0.20").Resolve("net7.0.20").Runtime!.Unavailable.ShouldNotBeNull();
        _clock.Now += TimeSpan.FromHours(25);
        Catalog(restores: "7.0.20").Resolve("net7.0.20").Runtime!.Unavailable.ShouldBeNull();
        _clock.Now += TimeSpan.FromDays(1000);
        Catalog(restores: "").Resolve("net7.0.20").Runtime!.Unavailable.ShouldBeNull();
    }

    [Fact]
    public void a_source_that_did_not_answer_is_not_remembered()
    {
        Catalog(restores: "", error: "NU1301: Unable to load the service index").Resolve("net7.0.20").Runtime!.Unavailable.ShouldNotBeNull();
        Catalog(restores: "7.0.20").Resolve("net7.0.20").Runtime!.Unavailable.ShouldBeNull();
    }

    [Fact]
    public void a_no_without_a_feed_says_nothing_about_the_feed()
    {
        Catalog(restores: "").Resolve("net7.0.20").Runtime!.Unavailable.ShouldNotBeNull();
        new RuntimeCatalog(Store, FakeDotnet("7.0.20", ""), _clock) { Packages = Packages, Feeds = ["/feed"] }.Resolve("net7.0.20").Runtime!.Unavailable.ShouldBeNull();
    }

    [Fact]
    public void support_ends_on_the_published_day()
    {
        var net8 = RuntimeLanes.All.Single(lane => lane.Name == "net8.0");
        net8.IsSupportedOn(new DateOnly(2026, 11, 10)).ShouldBeTrue();
        net8.IsSupportedOn(new DateOnly(2026, 11, 11)).ShouldBeFalse();
    }

    [Fact]
    public void every_lane_lists_its_own_patches_newest_first() =>
        RuntimeLanes.All.ShouldAllBe(lane => lane.Patches.All(lane.Owns) && lane.Patches.Select(Version.Parse).SequenceEqual(lane.Patches.Select(Version.Parse).OrderDescending()));

    public void Dispose() => _folder.Delete(recursive: true);

    private string Store => Path.Combine(_folder.FullName, "store");
    private string Packages => Path.Combine(_folder.FullName, "packages");

    private RuntimeCatalog Catalog(string restores, string error = "NU1102: Unable to find package") =>
        new(Store, FakeDotnet(restores, error), _clock) { Packages = Packages };

    // Restores exactly the version given: the project names it in brackets.
    private DotnetCli FakeDotnet(string restores, string error)
    {
        var file = Path.Combine(_folder.FullName, Guid.NewGuid().ToString("n"));
        File.WriteAllText(file, $"#!/bin/sh\nif grep -qF '\"[{restores}]\"' \"$2\"; then exit 0; fi\necho 'error {error}'\nexit 1\n");
        File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        return new DotnetCli(file);
    }

    private void Unpack(string patch)
    {
        var folder = Directory.CreateDirectory(Path.Combine(Packages, Pack, patch));
        File.WriteAllText(Path.Combine(folder.FullName, ".nupkg.metadata"), "{}");
    }

    private sealed class SettableClock : TimeProvider
    {
        public DateTimeOffset Now { get; set; } = new(2026, 11, 21, 0, 0, 0, TimeSpan.Zero);

        public override DateTimeOffset GetUtcNow() => Now;
    }
}
