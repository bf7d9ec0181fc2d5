using PerfLab.Building.Runtimes;
using PerfLab.Building.Tools;

namespace PerfLab.Workload.Tests.Building;

/// <summary>
/// Package sources as nobody wants them: slow, away, with previews only, with half of a runtime, with five hundred versions.
/// </summary>
public sealed class BadSourceTests : PackageSourceTests
{
    private readonly List<string> _said = [];

    private static readonly string Many = string.Join(' ', Enumerable.Range(0, 500).Select(number => $"1.5.{number}"));

    [Fact]
    public void a_source_that_is_too_slow_is_waited_for_once_and_what_was_known_holds()
    {
        Catalog((Runtime, "10.0.14 10.0.15"), ("Akka", "1.5.74")).Resolve("net10.0").Runtime!.Patch.ShouldBe("10.0.15");
        Catalog(("Akka", "1.5.74")).VersionsOf("Akka").ShouldBe(["1.5.74"]);
        Clock.Now += TimeSpan.FromHours(25);
        var asked = Path.Combine(Store, "asked");
        var slow = Telling(Script($"echo \"$3\" >>'{asked}'\nexec sleep 60\n"), TimeSpan.FromSeconds(1));
        slow.Resolve("net10.0").Runtime.ShouldBe(new("net10.0", "net10.0", "10.0.15", null));
        slow.VersionsOf("Akka").ShouldBe(["1.5.74"]);
        slow.VersionsOf("Nobody.Asked.Yet").ShouldBeEmpty();
        File.ReadAllLines(asked).ShouldHaveSingleItem();
        _said.ShouldBe([
            "dotnet package search could not say what there is: no answer within 1 seconds. What was known on 2026-11-21 holds.",
            "dotnet package search could not say what there is: no answer within 1 seconds. A build will tell what there is.",
        ]);
    }

    [Fact]
    public void latest_without_a_network_is_the_last_that_was_known_and_that_is_said()
    {
        Served(Catalog(("Akka", "1.5.73 1.5.74"))).Default.ShouldBe("1.5.74");
        Clock.Now += TimeSpan.FromHours(25);
        var akka = Served(Telling(Script("echo 'error: Unable to load the service index.'\nexit 1\n")));
        akka.Default.ShouldBe("1.5.74");
        akka.Versions.ShouldBe(["1.5.73", "1.5.74"]);
        _said.ShouldHaveSingleItem().ShouldBe("dotnet package search could not say what there is: "
            + "error: Unable to load the service index. What was known on 2026-11-21 holds.");
    }

    [Fact]
    public void nothing_is_said_while_an_answer_is_not_a_day_old()
    {
        Served(Catalog(("Akka", "1.5.74")));
        Served(Telling("/no/such/dotnet")).Default.ShouldBe("1.5.74");
        _said.ShouldBeEmpty();
    }

    [Fact]
    public void of_five_hundred_versions_the_newest_is_meant_and_a_refusal_names_a_dozen()
    {
        var packs = new[] { ("Akka", Many), (Runtime, Many.Replace("1.5.", "10.0.", StringComparison.Ordinal)) };
        var akka = Served(Catalog(packs));
        (akka.Default, akka.Versions.Count).ShouldBe(("1.5.499", 500));
        var refused = Catalog(packs).Resolve("net10.0.700").Problem.ShouldNotBeNull().ToString();
        refused.ShouldContain("Of net10.0 there is: net10.0.499, net10.0.498, ");
        refused.ShouldContain("net10.0.488 and 488 more.");
    }

    [Theory]
    [InlineData("net13.0", "of net13.0 there are previews only, which are not measured: 13.0.0-rc.1.7, 13.0.0-preview.2.9.")]
    [InlineData("net13.0.0-rc.1.7", "'net13.0.0-rc.1.7' is a preview, and previews are not measured.")]
    [InlineData("net12.0", "no package source has a runtime pack of net12.0.")]
    public void a_runtime_with_previews_only_is_refused_with_these(string asked, string why) =>
        Catalog((Runtime, "10.0.15 13.0.0-preview.2.9 13.0.0-rc.1.7")).Resolve(asked).Problem.ShouldNotBeNull().What.ShouldBe(why);

    [Theory]
    [InlineData("10.0.15", $"the-feed has no {AspNetCore} 10.0.15. ")]
    [InlineData("10.0.14 10.0.15", $"the-feed has no {AspNetCore} 10.0.15, nor what another 10.0 needs. ")]
    public void a_runtime_whose_patches_all_lack_asp_net_core_runs_what_does_not_need_it(string patches, string why)
    {
        Catalog((Runtime, patches)).Resolve("net10.0", Workload(["net10.0"])).Runtime!.Unavailable.ShouldBeNull();
        Catalog((Runtime, patches)).Resolve("net10.0", Workload(["net10.0"], aspNetCore: true)).Runtime!.Unavailable.ShouldBe(
            $"runtime net10.0 is not available here for web, which needs ASP.NET Core: {why}`./perf-lab list runtimes` shows what there is; --feed DIR adds a folder of packages.");
    }

    private RuntimeCatalog Telling(string dotnet, TimeSpan? patience = null) =>
        new(Store, new DotnetCli(dotnet), Clock) { Packages = Packages, Say = _said.Add, Patience = patience ?? TimeSpan.FromSeconds(30) };

    private static Core.Model.FrameworkDefinition Served(RuntimeCatalog catalog) => catalog.WithVersions(Workload(["net10.0"]) with
    {
        Frameworks = [new() { Name = "akka", Property = "AkkaVersion", Packages = ["Akka"], From = "1.5.0" }],
    }).Frameworks[0];
}
