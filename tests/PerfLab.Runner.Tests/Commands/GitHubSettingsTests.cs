using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Runner.GitHub;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>What `init github` says of GitHub's settings. `gh` is played by fixtures/github/gh; nothing here ever asked GitHub.</summary>
public sealed class GitHubSettingsTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("gh-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("octo-org", "GH_STATE", "")]
    [InlineData("octo-org", "GH_ACTIONS", "local_only")]
    [InlineData("Octo-Org", "GH_ACTIONS", "local_only")]
    [InlineData("octo-org", "GH_LAB", "organization")]
    public async Task where_nothing_stands_in_the_way_nothing_is_said(string owner, string variable, string value) =>
        (await DoubtsAsync(owner, (variable, value))).ShouldBeEmpty();

    [Theory]
    [InlineData("GH_ACTIONS", "off", "actions are off in octo-org/library: Settings, Actions, General there")]
    [InlineData("GH_ACTIONS", "local_only", "octo-org/library runs workflows of octo-org alone, and others/perf-lab is not: Settings, Actions, General there")]
    [InlineData("GH_ACTIONS", "selected", "octo-org/library runs only what is on its list, which needs others/perf-lab/* and actions/*: Settings, Actions, General there")]
    [InlineData("GH_ACTIONS", "unseen", "what octo-org/library allows to run, your account may not see: Settings, Actions, General there")]
    [InlineData("GH_LAB", "none", "others/perf-lab is private, and lets no other repository use its workflows: Settings, Actions, General, Access there")]
    [InlineData("GH_LAB", "unseen", "GitHub knows no others/perf-lab, or your account may not see it: then its workflows may not be used either")]
    [InlineData("GH_MAIN", "trunk", "you are on main; GitHub starts what is on trunk, the default branch")]
    [InlineData("GH_FORK", "true", "octo-org/library is a fork: a comment is answered in the repository that it stands in")]
    [InlineData("GH_ARCHIVED", "true", "octo-org/library is archived: nothing runs there")]
    [InlineData("GH_STATE", "logged-out", "gh could not be asked about octo-org/library (it is not logged in): Settings, Actions, General there has to allow actions")]
    [InlineData("GH_STATE", "chatty", "gh could not be asked about octo-org/library (it printed no JSON to go by for repos/octo-org/library): Settings, Actions, General there has to allow actions")]
    [InlineData("GH_STATE", "away", "gh could not be asked about octo-org/library (check your internet connection or https://githubstatus.com): Settings, Actions, General there has to allow actions")]
    public async Task what_stands_in_the_way_is_said(string variable, string value, string doubt) =>
        (await DoubtsAsync("others", (variable, value))).ShouldBe([doubt]);

    [Fact]
    public async Task a_name_that_github_says_is_shown_without_what_a_terminal_acts_on()
    {
        var doubt = (await DoubtsAsync("others", ("GH_MAIN", "\\u001b[2J"))).ShouldHaveSingleItem();
        doubt.ShouldNotContain('\u001b');
        doubt.ShouldStartWith("you are on main; GitHub starts what is on ");
    }

    [Fact]
    public async Task where_there_is_no_gh_it_says_what_to_look_at() =>
        (await Asked("others", Path.Combine(_folder, "nowhere"))).ShouldHaveSingleItem().ShouldStartWith("gh could not be asked about octo-org/library (it is not installed): ");

    private Task<IReadOnlyList<string>> DoubtsAsync(string labOwner, params (string Name, string Value)[] changed)
    {
        var gh = Path.Combine(_folder, "gh");
        var played = Path.Combine(Repository.Root, "tests/PerfLab.Runner.Tests/fixtures/github/gh");
        File.WriteAllText(gh, $"#!/bin/sh\n{string.Concat(changed.Select(one => $"export {one.Name}='{one.Value}'\n"))}exec '{played}' \"$@\"\n");
        Executable.Make(gh);
        return Asked(labOwner, gh);
    }

    private static Task<IReadOnlyList<string>> Asked(string labOwner, string gh) =>
        new GitHubSettings("octo-org/library", $"{labOwner}/perf-lab", new GitHubCli(gh)).DoubtsAsync("main", CancellationToken.None);
}
