using System.Globalization;

namespace PerfLab.Runner.Tests.MachineContent;

/// <summary>What is played: <see cref="BootstrapStandIns"/>.</summary>
public sealed class BootstrapTests : IDisposable
{
    private readonly BootstrapStandIns lab = new();

    public void Dispose() => lab.Dispose();

    [Fact]
    public async Task It_makes_the_place_of_the_state_the_rights_on_its_data_and_the_stack_file_and_the_second_time_nothing()
    {
        var first = await lab.RunAsync(BootstrapStandIns.All);
        first.Exit.ShouldBe(0, first.Output);
        var file = await File.ReadAllTextAsync(lab.File("Pulumi.main.yaml"));
        var made = lab.Changes.Length;

        var second = await lab.RunAsync(BootstrapStandIns.All);

        second.Exit.ShouldBe(0, second.Output);
        lab.Changes[made..].ShouldHaveSingleItem().ShouldStartWith("storage container create");    // which is its own check
        (await File.ReadAllTextAsync(lab.File("Pulumi.main.yaml"))).ShouldBe(file);
        file.ShouldContain("githubSubject: repo:octo-org/octo-repo\n");
        file.ShouldContain("github:owner: octo-org\n");
        file.ShouldContain("perf-lab:github: { branch: trunk, reviewers: [583231], stateUrl: \"azblob://state?storage_account=perflab");
        first.Output.ShouldEndWith("next:\n  GITHUB_TOKEN=$(gh auth token) pulumi up --policy-pack infra/policy\n  ./perf-lab lab configure\nand then steps 5 to 7 of docs/operations.md: the App's key, a try, the commit\n");
        file.ShouldContain("machines: [{ name: azure-d4s, size: Standard_D4s_v5 }]");
        file.ShouldContain($"start: \"{DateTime.UtcNow.ToString("yyyy-MM", CultureInfo.InvariantCulture)}-01\"");
        file.ShouldNotContain("PRIVATE");
    }

    [Fact]
    public async Task A_check_changes_nothing()
    {
        var result = await lab.RunAsync(["--check", .. BootstrapStandIns.All]);

        result.Exit.ShouldBe(0, result.Output);
        result.Output.ShouldEndWith("nothing was changed\n");
        lab.Changes.ShouldBeEmpty();
        File.Exists(lab.File("Pulumi.main.yaml")).ShouldBeFalse();
    }

    [Fact]
    public async Task A_private_repository_below_enterprise_gets_no_reviewers()
    {
        Nightly.Only("5 seconds");
        var result = await lab.RunAsync(BootstrapStandIns.All, ("GH_PRIVATE", "true"), ("GH_PLAN", "team"));

        result.Exit.ShouldBe(0, result.Output);
        result.Output.ShouldContain("no reviewers for changes of the lab");
        (await File.ReadAllTextAsync(lab.File("Pulumi.main.yaml"))).ShouldContain("reviewers: [],");
    }

    // One of each that is asked, and the one that ends at once
    [Theory]
    [NightlyData("GH_ADMIN", "false", "you do not administer octo-org/octo-repo")]
    [InlineData("GH_PRIVATE", "true", "octo-org/octo-repo is private and GitHub's plan of octo-org is free")]
    [InlineData("AZ_LOGIN", "0", "nobody is logged in to Azure: az login")]
    [NightlyData("AZ_ROLE", "Contributor", "you are not Owner of the subscription (but: Contributor)")]
    [InlineData("AZ_CORES", "3", "quota standardDSv5Family: 3 cores free, 4 wanted")]
    [NightlyData("AZ_RESTRICTION", """{"type":"Location","reasonCode":"NotAvailableForSubscription"}""", "Standard_D4s_v5 is not offered to you in westeurope: NotAvailableForSubscription")]
    [NightlyData("GH_AUTH", "1", "nobody is logged in to GitHub")]
    public async Task What_the_lab_would_fail_by_is_told_before_anything_is_made(string name, string value, string says)
    {
        var result = await lab.RunAsync(BootstrapStandIns.All, (name, value));

        result.Exit.ShouldBe(1);
        result.Output.ShouldContain("no   " + says);
        lab.Changes.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("--location", "West Europe")]
    [InlineData("--repository", "octo-org")]
    [InlineData("--repository", "octo-org/octo; reboot")]
    [InlineData("--app", "perf-lab")]
    [InlineData("--email", "a@b.c\"]")]
    [InlineData("--size", "Standard_B2s")]
    [InlineData("--image", "Debian:debian-13:13-gen2:latest")]
    [InlineData("--stack", "Main_1")]
    public async Task A_wrong_value_is_named_with_what_is_valid(string option, string value)
    {
        var result = await lab.RunAsync([.. BootstrapStandIns.All, option, value]);

        result.Exit.ShouldBe(1);
        result.Output.ShouldContain($"no   {option} \"{value}\" is not ");
        lab.Changes.ShouldBeEmpty();
    }

    [Fact]
    public async Task An_option_that_is_unknown_or_empty_is_wrong_use()
    {
        (await lab.RunAsync(["--regoin", "x"])).Output.ShouldContain("valid: --check, --undo, --stack");
        (await lab.RunAsync(["--location"])).Exit.ShouldBe(2);
    }

    [Fact]
    public async Task Who_gives_no_values_is_told_which_are_missing_and_who_asks_for_help_gets_it_without_a_login()
    {
        (await lab.RunAsync(["--check"])).Output.ShouldContain("no   --location is missing: an Azure region such as westeurope\nno   --repository is missing: OWNER/NAME\n");

        var help = await lab.RunAsync(["--help"], ("AZ_LOGIN", "0"));

        help.Exit.ShouldBe(0, help.Output);
        help.Output.ShouldContain("infra/bootstrap --check");
        help.Output.ShouldNotContain("pipefail");
    }

    [Fact]
    public async Task Undoing_waits_for_the_stacks_to_be_gone()
    {
        if (Nightly.IsAsked)
        {
            await lab.RunAsync(BootstrapStandIns.All);
        }
        else
        {
            await File.WriteAllTextAsync(lab.File("group"), ""); // that there is one is all that undoing asks
        }

        await File.WriteAllTextAsync(lab.File("stacks"), ".pulumi/stacks/perf-lab/main.json\n");

        var refused = await lab.RunAsync(["--undo"]);
        File.Delete(lab.File("stacks"));
        var done = await lab.RunAsync(["--undo"]);
        var again = await lab.RunAsync(["--undo"]);

        (refused.Exit, done.Exit, again.Exit).ShouldBe((1, 0, 0));
        refused.Output.ShouldContain("stacks are still in the state: pulumi destroy");
        again.Output.ShouldContain("there is no group perf-lab-state");
    }

    [Fact]
    public async Task Shellcheck_has_nothing_to_say()
    {
        Shell.Need("shellcheck", "shellcheck");

        (await Shell.RunAsync("shellcheck", Path.Combine(Shell.Machine, "..", "bootstrap"))).Output.ShouldBeEmpty();
    }
}
