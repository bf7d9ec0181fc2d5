namespace PerfLab.Workload.Tests.Building;

public sealed class BuildCacheTests : IDisposable
{
    private readonly FakeSdk _sdk = new();

    [Fact]
    public async Task an_unchanged_arm_is_not_built_again_not_even_by_the_next_command()
    {
        var first = await _sdk.BuildAsync();
        (await _sdk.BuildAsync()).ShouldBe(first);
        _sdk.Publishes.ShouldBe(1);
    }

    [Theory]
    [InlineData("Program.cs")]
    [InlineData("New.cs")]
    [InlineData("deeper/data.json")]
    [InlineData("../Directory.Build.props")]
    [InlineData("../global.json")]
    [InlineData("../library/Library.cs")]
    [InlineData("../linked/Shared.cs")]
    public async Task a_change_is_seen_wherever_the_bits_come_from(string file)
    {
        _sdk.Tell("more-inputs", $"project {_sdk.Workload}/../library/Library.csproj\nfile {_sdk.Workload}/../linked/Shared.cs\n".Replace("/workload/..", "", StringComparison.Ordinal));
        await _sdk.BuildAsync();
        _sdk.Write(file, "changed");
        await _sdk.BuildAsync();
        _sdk.Publishes.ShouldBe(2);
    }

    [Theory]
    [InlineData("bin/app.dll")]
    [InlineData("obj/project.assets.json")]
    [InlineData(".git/index")]
    public async Task what_tools_leave_beside_the_sources_is_no_change(string file)
    {
        await _sdk.BuildAsync();
        _sdk.Write(file, "noise");
        await _sdk.BuildAsync();
        _sdk.Publishes.ShouldBe(1);
    }

    [Fact]
    public async Task every_part_of_a_recipe_decides()
    {
        await _sdk.BuildAsync();
        await _sdk.BuildAsync(recipe => recipe with { RuntimePatch = "10.0.13" });
        await _sdk.BuildAsync(recipe => recipe with { TargetFramework = "net9.0" });
        await _sdk.BuildAsync(recipe => recipe with { Properties = new Dictionary<string, string>(StringComparer.Ordinal) { ["LibraryVersion"] = "1" } });
        await _sdk.BuildAsync(recipe => recipe with { Feeds = [_sdk.Root] });
        _sdk.Publishes.ShouldBe(5);
    }

    [Fact]
    public async Task a_file_that_was_saved_during_the_build_means_to_build_again()
    {
        _sdk.Tell("touch");
        await _sdk.BuildAsync();
        await _sdk.BuildAsync();
        _sdk.Publishes.ShouldBe(2);
    }

    [Fact]
    public async Task bits_that_somebody_changed_in_the_store_are_not_believed()
    {
        var build = await _sdk.BuildAsync();
        await File.AppendAllTextAsync(Path.Combine(build.Folder, "app"), "tampered");
        var again = await _sdk.BuildAsync();
        again.Identity.ShouldBe(build.Identity);
        (await File.ReadAllTextAsync(Path.Combine(again.Folder, "app"))).ShouldBe("one");
    }

    [Fact]
    public async Task equal_bits_of_different_recipes_have_one_identity_and_one_folder()
    {
        var one = await _sdk.BuildAsync();
        var other = await _sdk.BuildAsync(recipe => recipe with { RuntimePatch = "10.0.13" });
        other.ShouldBe(one);
    }

    [Fact]
    public async Task builds_that_race_give_the_same_bits()
    {
        _sdk.Tell("slow");
        var shared = _sdk.NewBuilder();
        var results = await Task.WhenAll(
            shared.BuildAsync(_sdk.Recipe, CancellationToken.None), shared.BuildAsync(_sdk.Recipe, CancellationToken.None),
            _sdk.NewBuilder().BuildAsync(_sdk.Recipe, CancellationToken.None), _sdk.NewBuilder().BuildAsync(_sdk.Recipe, CancellationToken.None));
        results.Select(result => result.Build!.Identity).Distinct(StringComparer.Ordinal).Count().ShouldBe(1);
        shared.Publishes.ShouldBeLessThanOrEqualTo(1);
        Directory.GetDirectories(Path.Combine(_sdk.Store, "bits")).Length.ShouldBe(1);
        Directory.GetFileSystemEntries(Path.Combine(_sdk.Store, "unfinished")).ShouldBeEmpty();
    }

    [Fact]
    public async Task a_cancelled_build_leaves_nothing_behind_and_nothing_running()
    {
        _sdk.Tell("hang");
        using var cancel = new CancellationTokenSource();
        var building = _sdk.NewBuilder().BuildAsync(_sdk.Recipe, cancel.Token);
        var child = Path.Combine(_sdk.Root, "child");
        SpinWait.SpinUntil(() => File.Exists(child) && File.ReadAllText(child).EndsWith('\n'), TimeSpan.FromSeconds(20)).ShouldBeTrue();
        await cancel.CancelAsync();
        await Should.ThrowAsync<OperationCanceledException>(building);

        var stat = $"/proc/{(await File.ReadAllTextAsync(child)).Trim()}/stat";
        // A killed orphan may wait for its new parent to collect it: state Z.
        SpinWait.SpinUntil(() => !File.Exists(stat) || File.ReadAllText(stat).Contains(") Z ", StringComparison.Ordinal), TimeSpan.FromSeconds(20)).ShouldBeTrue();
        Directory.GetFileSystemEntries(Path.Combine(_sdk.Store, "unfinished")).ShouldBeEmpty();
        Directory.Exists(Path.Combine(_sdk.Store, "bits")).ShouldBeFalse();
    }

    public void Dispose() => _sdk.Dispose();
}
