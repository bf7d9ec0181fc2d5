using PerfLab.Building.Runtimes;
using PerfLab.Building.Tools;

namespace PerfLab.Workload.Tests.Building;

public sealed class RuntimeCatalogTests : PackageSourceTests
{
    private const string Advice = "`./perf-lab list runtimes` shows what there is; --feed DIR adds a folder of packages.";

    [Fact]
    public void listing_asks_nobody_unless_it_may()
    {
        Unpack("8.0.31");
        var releases = new RuntimeCatalog(Store, new DotnetCli("/no/such/dotnet")) { Packages = Packages }.List(ask: false);
        releases.Select(release => release.Release.Name).ShouldBe(["net10.0", "net9.0", "net8.0", "net7.0", "net6.0", "netcoreapp3.1"]);
        var net8 = releases.Single(release => release.Release.Name == "net8.0").Patches.Select(patch => (patch.Patch, patch.Runtime.Status));
        net8.ShouldBe([("8.0.34", PackStatus.NotAsked), ("8.0.31", PackStatus.Available)]);
    }

    [Fact]
    public void listing_names_the_pack_that_is_missing_and_the_source_that_lacks_it()
    {
        var catalog = Catalog((Runtime, "8.0.33 8.0.7 3.1.3"), (AspNetCore, "8.0.33"));
        var releases = catalog.List(ask: true).ToDictionary(release => release.Release.Name);
        releases["net6.0"].Patches.Single().Runtime.Why.ShouldBe($"the-feed has no {Runtime} 6.0.36");
        releases["netcoreapp3.1"].Patches.Single().AspNetCore.Why.ShouldBe($"the-feed has no {AspNetCore} 3.1.3");
        releases["netcoreapp3.1"].Patches.Single().Runtime.Status.ShouldBe(PackStatus.Available);
        releases["net8.0"].Patches.Where(patch => patch.Runtime.Status == PackStatus.Available).Select(patch => patch.Patch).ShouldBe(["8.0.33", "8.0.7"]);
    }

    [Fact]
    public void a_lane_means_its_newest_patch_that_can_be_had()
    {
        Unpack("8.0.31");
        Unpack("8.0.30");
        var (runtime, problem) = Catalog().Resolve("net8.0");
        problem.ShouldBeNull();
        runtime!.ShouldBe(new("net8.0", "net8.0", "8.0.31", null));
        runtime!.Name.ShouldBe("net8.0.31");
    }

    [Fact]
    public void a_lane_means_the_newest_patch_that_the_source_has_also_a_later_one_than_was_ever_heard_of() =>
        Catalog((Runtime, "10.0.9 10.0.99 10.0.100-rc.1 10.0.21")).Resolve("net10.0").Runtime!.Patch.ShouldBe("10.0.99");

    [Fact]
    public void a_source_that_serves_net12_tomorrow_is_enough_to_measure_it()
    {
        var packs = new[] { (Runtime, "10.0.15 12.0.0 12.0.1 12.1.0 13.0.0-preview.1"), (AspNetCore, "12.0.1") };
        Catalog(packs).Resolve("net12.0").Runtime.ShouldBe(new("net12.0", "net12.0", "12.0.1", null));
        Catalog(packs).Resolve("net12.0.0").Runtime.ShouldBe(new("net12.0.0", "net12.0", "12.0.0", null));
        var releases = Catalog(packs).List(ask: true);
        releases.Select(release => release.Release.Name).ShouldBe(["net12.0", "net10.0", "net9.0", "net8.0", "net7.0", "net6.0", "netcoreapp3.1"]);
        releases[0].Release.EndOfSupport.ShouldBeNull();
        Catalog(packs).ThatAreThere().ShouldBe(["net10.0", "net12.0"]);
    }

    [Fact]
    public void a_lane_that_no_source_has_and_nobody_heard_of_is_refused_with_those_that_there_are() =>
        Catalog((Runtime, "10.0.15 11.0.0")).Resolve("net13.0").Problem.ShouldNotBeNull().ToString().ShouldSatisfyAllConditions(
            text => text.ShouldContain("no package source has a runtime pack of net13.0"), text => text.ShouldEndWith("Did you mean net10.0 or net11.0?"));

    [Fact]
    public void a_new_patch_is_seen_a_day_later_and_the_old_one_while_no_source_answers()
    {
        Catalog((Runtime, "10.0.15")).Resolve("net10.0").Runtime!.Patch.ShouldBe("10.0.15");
        Catalog((Runtime, "10.0.15 10.0.16")).Resolve("net10.0").Runtime!.Patch.ShouldBe("10.0.15");
        Clock.Now += TimeSpan.FromHours(25);
        Silent().Resolve("net10.0").Runtime.ShouldBe(new("net10.0", "net10.0", "10.0.15", null));
        Catalog((Runtime, "10.0.15 10.0.16")).Resolve("net10.0").Runtime!.Patch.ShouldBe("10.0.16");
    }

    [Fact]
    public void where_no_source_ever_answered_a_patch_that_exists_is_left_to_the_build()
    {
        Silent().Resolve("net10.0").Runtime.ShouldBe(new("net10.0", "net10.0", "10.0.15", null));
        Silent().Resolve("net12.0").Runtime!.Unavailable.ShouldNotBeNull().ShouldContain("could not be asked");
    }

    [Fact]
    public void five_hundred_versions_are_read()
    {
        var many = string.Join(' ', Enumerable.Range(0, 500).Select(number => $"10.0.{number}"));
        Catalog((Runtime, many)).Resolve("net10.0").Runtime!.Patch.ShouldBe("10.0.499");
    }

    [Fact]
    public void a_patch_is_exactly_that_patch_known_or_not()
    {
        Catalog((Runtime, "8.0.33 8.0.7")).Resolve("net8.0.7").Runtime.ShouldBe(new("net8.0.7", "net8.0", "8.0.7", null));
        var (runtime, problem) = Catalog((Runtime, "8.0.33 8.0.7")).Resolve("net8.0.99");
        runtime.ShouldBeNull();
        problem.ShouldNotBeNull().What.ShouldBe($"runtime net8.0.99 is not available here: the-feed has no {Runtime} 8.0.99. Of net8.0 there is: net8.0.33, net8.0.7. " + Advice);
    }

    [Fact]
    public void a_lane_without_any_pack_is_unavailable_by_name() =>
        Catalog((Runtime, "8.0.33")).Resolve("net6.0").Runtime!.Unavailable.ShouldNotBeNull().ShouldStartWith($"runtime net6.0 is not available here: the-feed has no {Runtime} 6.0.36.");

    [Fact]
    public void a_workload_with_asp_net_core_needs_its_pack_too()
    {
        var packs = new[] { (Runtime, "8.0.33 8.0.32 3.1.3"), (AspNetCore, "8.0.32"), ("Microsoft.NETCore.App.Host.linux-x64", "3.1.3") };
        var (console, web) = (Workload(["netcoreapp3.1", "net8.0"]), Workload(["netcoreapp3.1", "net8.0"], aspNetCore: true));
        Catalog(packs).Resolve("net8.0", console).Runtime!.Patch.ShouldBe("8.0.33");
        Catalog(packs).Resolve("net8.0", web).Runtime!.Patch.ShouldBe("8.0.32");
        Catalog(packs).Resolve("netcoreapp3.1", console).Runtime!.Unavailable.ShouldBeNull();
        var exact = Catalog(packs).Resolve("netcoreapp3.1.3", web).Runtime!;
        exact.IsExactPatch.ShouldBeTrue();
        exact.Unavailable.ShouldBe($"runtime netcoreapp3.1.3 is not available here for web, which needs ASP.NET Core: the-feed has no {AspNetCore} 3.1.3. Of netcoreapp3.1 there is: nothing. " + Advice);
    }

    [Fact]
    public void a_target_that_is_compiled_with_packs_of_its_own_needs_those()
    {
        var packs = new[] { (Runtime, "8.0.33 10.0.14"), ("Microsoft.NETCore.App.Ref", "6.0.25"), ("Microsoft.NETCore.App.Host.linux-x64", "6.0.21") };
        var workload = Workload(["net6.0", "net8.0"]);
        Catalog(packs).Resolve("net8.0", workload).Runtime!.Unavailable.ShouldBeNull();
        Catalog(packs, sameIl: true).Resolve("net8.0", workload).Runtime!.Unavailable.ShouldNotBeNull().ShouldContain("the-feed has no Microsoft.NETCore.App.Host.linux-x64 6.0.25");
    }

    [Fact]
    public void the_packs_of_old_targets_are_the_same_in_the_catalogue_and_in_the_build()
    {
        foreach (var release in RuntimeRelease.Described)
        {
            foreach (var (id, version) in release.CompiledWith)
            {
                var element = id.Contains(".Host.", StringComparison.Ordinal) ? "AppHostPackVersion" : "TargetingPackVersion";
                EmbeddedText.Read("perf-lab.build.targets").ShouldContain($"<{element} Condition=\"'%(TargetFramework)' == '{release.Name}'\">{version}</{element}>");
            }
        }
    }

    [Theory]
    [InlineData("net80", "net8.0")]
    [InlineData("net5.0", "net")]
    [InlineData("net8.0.x", "net8.0")]
    [InlineData("8.0.33", "net8.0.33")]
    [InlineData("", "net8.0")]
    public void a_word_that_is_no_runtime_gets_the_nearest_ones(string text, string nearest)
    {
        var (runtime, problem) = Catalog().Resolve(text);
        runtime.ShouldBeNull();
        problem.ShouldNotBeNull().ToString().ShouldContain(nearest);
    }

    [Fact]
    public void what_a_source_said_is_believed_for_a_day()
    {
        Catalog().Resolve("net7.0").Runtime!.Unavailable.ShouldNotBeNull();
        Catalog((Runtime, "7.0.20")).Resolve("net7.0").Runtime!.Unavailable.ShouldNotBeNull();
        Clock.Now += TimeSpan.FromHours(25);
        Catalog((Runtime, "7.0.20")).Resolve("net7.0").Runtime!.Unavailable.ShouldBeNull();
        Catalog().Resolve("net7.0").Runtime!.Unavailable.ShouldBeNull();
        Clock.Now += TimeSpan.FromHours(25);
        Catalog().Resolve("net7.0").Runtime!.Unavailable.ShouldNotBeNull();
    }

    [Fact]
    public void a_patch_asked_for_by_number_is_looked_for_at_once()
    {
        Catalog().Resolve("net8.0.34").Problem.ShouldNotBeNull();
        Catalog((Runtime, "8.0.34")).Resolve("net8.0.34").Runtime!.Unavailable.ShouldBeNull();
    }

    [Theory]
    [InlineData("""{"searchResult":[{"sourceName":"down","problems":[{"text":"Unable to load the service index"}],"packages":[]}]}""")]
    [InlineData("error: something else altogether")]
    [InlineData("""{"searchResult":7}""")]
    [InlineData("""{"searchResult":[null]""")]
    [InlineData("")]
    public void a_source_that_could_not_answer_is_left_to_the_build_and_not_remembered(string answer)
    {
        var file = Script($"cat <<'EOF'\n{answer}\nEOF\n");
        var (runtime, problem) = new RuntimeCatalog(Store, new DotnetCli(file), Clock) { Packages = Packages }.Resolve("net7.0.20");
        problem.ShouldBeNull();
        runtime!.Unavailable.ShouldBeNull();
        Catalog().Resolve("net7.0.20").Problem.ShouldNotBeNull();
    }

    [Fact]
    public void a_memory_that_is_no_json_is_asked_again()
    {
        Directory.CreateDirectory(Store);
        File.WriteAllText(Path.Combine(Store, "runtime-packs.json"), """{"x":{"asked":"2026-01-01T00:00:00Z","sources":null}}""");
        Catalog((Runtime, "7.0.20")).Resolve("net7.0.20").Runtime.ShouldNotBeNull();
        File.WriteAllText(Path.Combine(Store, "runtime-packs.json"), "garbage");
        Catalog((Runtime, "7.0.20")).Resolve("net7.0.20").Runtime.ShouldNotBeNull();
    }

    [Fact]
    public void a_folder_given_with_feed_is_asked_every_time()
    {
        Catalog().Resolve("net7.0").Runtime!.Unavailable.ShouldNotBeNull();
        new RuntimeCatalog(Store, new DotnetCli(Dotnet([(Runtime, "7.0.20")])), Clock) { Packages = Packages, Feeds = ["/feed"] }.Resolve("net7.0").Runtime!.Unavailable.ShouldBeNull();
    }

    [Fact]
    public void every_patch_that_was_seen_belongs_to_its_lane() => RuntimeRelease.Described.ShouldAllBe(release => release.Seen == null || release.Owns(release.Seen));

    [Theory]
    [InlineData("net11.0", true)]
    [InlineData("net100.0", true)]
    [InlineData("netcoreapp3.1", true)]
    [InlineData("netcoreapp3.0", false)]
    [InlineData("net4.0", false)]
    [InlineData("net48", false)]
    [InlineData("net8.1", false)]
    [InlineData("net08.0", false)]
    [InlineData("net1000.0", false)]
    [InlineData("net.0", false)]
    [InlineData("netstandard2.0", false)]
    [InlineData("net8.0-windows", false)]
    public void a_lane_has_the_name_of_a_target_framework_that_runs_on_linux(string name, bool isLane) => (RuntimeRelease.Find(name) is not null).ShouldBe(isLane);

    [Fact]
    public async Task targets_that_the_sdk_can_not_compile_are_left_to_a_newer_one()
    {
        var sdk = new RuntimeCatalog(Store, new DotnetCli(Script("echo 10.0.401\n")), Clock) { Packages = Packages };
        var (left, none) = await sdk.CompilableAsync(Workload(["net8.0", "net10.0", "net99.0"]));
        (left.Build.Runtimes, none).ShouldBe((left.Build.Runtimes, null));
        left.Build.Runtimes.ShouldBe(["net8.0", "net10.0"]);
        var (_, problem) = await sdk.CompilableAsync(Workload(["net99.0"]));
        problem.ShouldNotBeNull().ToString().ShouldSatisfyAllConditions(text => text.ShouldContain("10.0.401"), text => text.ShouldContain("net10.0"));
    }
}
