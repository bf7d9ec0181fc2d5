using PerfLab.Building.Runtimes;
using PerfLab.Core.Model;

namespace PerfLab.Workload.Tests.Building;

public sealed class ServedFrameworkTests : PackageSourceTests
{
    [Fact]
    public void a_framework_means_the_newest_release_that_all_its_packages_have()
    {
        var packs = new[] { ("Akka", "1.4.1 1.5.73 1.5.74 1.6.0-beta1"), ("Akka.Remote", "1.5.71 1.5.72 1.5.73 1.6.0-beta1") };
        var akka = Framework(Catalog(packs));
        akka.Default.ShouldBe("1.5.73");
        akka.Versions.ShouldBe(["1.5.73", "1.6.0-beta1"]);
    }

    [Fact]
    public void a_framework_of_which_there_are_previews_only_has_no_default() =>
        Framework(Catalog(("Akka", "1.6.0-beta1"), ("Akka.Remote", "1.6.0-beta1"))).Default.ShouldBeNull();

    [Fact]
    public void a_framework_whose_source_is_silent_is_what_it_was_the_last_time_or_the_lowest()
    {
        Framework(Silent()).Default.ShouldBe("1.5.0");
        Framework(Catalog(("Akka", "1.5.74"), ("Akka.Remote", "1.5.74"))).Default.ShouldBe("1.5.74");
        Clock.Now += TimeSpan.FromHours(25);
        Framework(Silent()).Default.ShouldBe("1.5.74");
    }

    private static FrameworkDefinition Framework(RuntimeCatalog catalog) => catalog.WithVersions(Workload(["net10.0"]) with
    {
        Frameworks = [new() { Name = "akka", Property = "AkkaVersion", Packages = ["Akka", "Akka.Remote"], From = "1.5.0" }],
    }).Frameworks[0];
}
