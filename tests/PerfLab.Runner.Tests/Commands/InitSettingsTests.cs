using System.Diagnostics;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>What `init github` says of GitHub's settings. `gh` is played by fixtures/github/gh; nothing here ever asked GitHub.</summary>
public sealed class InitSettingsTests : IDisposable
{
    private const string Commit = "0123456789012345678901234567890123456789";

    private readonly LabFixture _lab = new();

    public InitSettingsTests()
    {
        File.Delete(Path.Combine(_lab.Root, "perf-lab.yaml"));
        Git("init", "--quiet", "--initial-branch=main");
        Directory.CreateDirectory(Path.Combine(_lab.Root, "a"));
        File.WriteAllText(Path.Combine(_lab.Root, "a/A.csproj"), "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup><ItemGroup><PackageReference Include=\"BenchmarkDotNet\" Version=\"0.15.8\" /></ItemGroup></Project>");
    }

    public void Dispose() => _lab.Dispose();

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
    [InlineData("GH_STATE", "chatty", "gh could not be asked about octo-org/library (it printed no JSON): Settings, Actions, General there has to allow actions")]
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

    private async Task<IReadOnlyList<string>> DoubtsAsync(string labOwner, params (string Name, string Value)[] changed)
    {
        Git("remote", "add", "origin", "git@github.com:octo-org/library.git");
        var gh = Path.Combine(Repository.Root, "tests/PerfLab.Runner.Tests/fixtures/github");
        using var process = _lab.Start($"init github --from {labOwner}/perf-lab@{Commit}",
            [("PATH", $"{gh}:{Environment.GetEnvironmentVariable("PATH")}"), .. changed]);
        process.StandardInput.Close();
        var error = process.StandardError.ReadToEndAsync();
        await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        process.ExitCode.ShouldBe(0, await error);
        return [.. (await error).Split('\n').Select(line => line.Trim()).Where(line => line.StartsWith("look: ", StringComparison.Ordinal)).Select(line => line["look: ".Length..])];
    }

    private void Git(params string[] arguments)
    {
        using var git = Process.Start(new ProcessStartInfo("git", arguments) { WorkingDirectory = _lab.Root })!;
        git.WaitForExit();
        git.ExitCode.ShouldBe(0);
    }
}
