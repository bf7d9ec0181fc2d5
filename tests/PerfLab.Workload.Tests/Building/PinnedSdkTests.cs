using PerfLab.Building;
using PerfLab.Building.Tools;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Workload.Tests.Building;

/// <summary>A commit whose global.json asks for an SDK that is not here.</summary>
public sealed class PinnedSdkTests : IDisposable
{
    private readonly FakeSdk _sdk = new();

    [Fact]
    public async Task it_is_unavailable_by_name_with_the_file_and_what_to_type_and_nothing_is_published()
    {
        _sdk.Write("global.json", "{}");
        (await BuildAsync(_sdk.Recipe)).Unavailable.ShouldBe($"SDK 8.0.100, which {_sdk.Workload}/global.json asks for, is not available here "
            + "(there is 10.0.400). Install it, or build every arm with the newest that is here: --sdk current");
        _sdk.Publishes.ShouldBe(0);
    }

    [Fact]
    public async Task with_the_current_sdk_it_is_built_and_that_is_said_each_time()
    {
        _sdk.Write("global.json", "{}");
        for (var time = 0; time < 2; time++)
        {
            var result = await BuildAsync(_sdk.Recipe with { CurrentSdk = true });
            result.Build.ShouldNotBeNull(result.Failure ?? result.Unavailable);
            result.Notes.ShouldBe(["its global.json asks for SDK 8.0.100, and it was built with 10.0.400 (--sdk current)"]);
        }

        _sdk.Publishes.ShouldBe(1);
    }

    [Fact]
    public async Task who_has_that_sdk_anyway_is_told_nothing() =>
        (await BuildAsync(_sdk.Recipe with { CurrentSdk = true })).Notes.ShouldBeEmpty();

    [Fact]
    public async Task a_project_that_can_not_be_evaluated_for_it_says_the_same()
    {
        _sdk.Write("global.json", "{}");
        var problems = new List<PerfLab.Core.Files.Problem>();
        var project = Path.Combine(_sdk.Workload, "App.csproj");
        (await BenchmarkProject.ReadAsync(project, new DotnetCli(_sdk.Dotnet), problems, CancellationToken.None)).ShouldBeNull();
        problems.ShouldHaveSingleItem().What.ShouldStartWith("SDK 8.0.100, which ");
    }

    [Theory]
    [InlineData(0, "Requested SDK version: 8.0.100\nglobal.json file: /x/global.json\n")] // it was found all the same
    [InlineData(1, "error MSB1003: there is no project")]
    [InlineData(155, "")]
    public void another_failure_is_none_of_an_sdk(int code, string output) => PinnedSdk.NotFound(new(code, output)).ShouldBeNull();

    [Fact]
    public void what_is_here_is_listed_whatever_stream_it_came_on()
    {
        const string Output = "8.0.415 [/sdk]\n10.0.401 [/usr/share/dotnet/sdk]\nThe command could not be loaded\n\nRequested SDK version: 9.0.100\nglobal.json file: /a b/global.json\n\nInstalled SDKs:\n";
        var pinned = PinnedSdk.NotFound(new(155, Output)).ShouldNotBeNull();
        (pinned.Version, pinned.File, string.Join(' ', pinned.Here)).ShouldBe(("9.0.100", "/a b/global.json", "8.0.415 10.0.401"));
        (pinned with { Here = [] }).ToString().ShouldEndWith("is not available here (there is none at all). Install it.");
    }

    public void Dispose() => _sdk.Dispose();

    private Task<BuildResult> BuildAsync(BuildRecipe recipe) => _sdk.NewBuilder().BuildAsync(recipe, CancellationToken.None);
}
