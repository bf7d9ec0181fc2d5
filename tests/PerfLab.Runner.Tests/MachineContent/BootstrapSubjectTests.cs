namespace PerfLab.Runner.Tests.MachineContent;

/// <summary>How the subject of a repository's tokens begins is asked of GitHub, and never guessed: a wrong one is a lab into which nothing logs in.</summary>
public sealed class BootstrapSubjectTests : IDisposable
{
    private const string Names = "repo:octo-org/octo-repo", Numbers = "repo:octo-org@1234567/octo-repo@7654321";
    private readonly BootstrapStandIns lab = new();

    public void Dispose() => lab.Dispose();

    // Names are what all other tests of bootstrap have
    [Theory]
    [NightlyData(SubjectAnswers.Names, Names)]
    [InlineData(SubjectAnswers.NumbersAndFalse, Numbers)]
    [NightlyData(SubjectAnswers.NumbersAndTrue, Numbers)]
    [NightlyData(SubjectAnswers.DefaultByItsKeys, Names)]
    public async Task What_github_says_is_written(string answer, string subject)
    {
        var result = await lab.RunAsync(BootstrapStandIns.All, ("GH_SUBJECT", answer));

        result.Exit.ShouldBe(0, result.Output);
        result.Output.ShouldContain($"ok   the tokens of octo-org/octo-repo begin with {subject} (GitHub)\n");
        (await File.ReadAllTextAsync(lab.File("Pulumi.main.yaml"))).ShouldContain($"perf-lab:githubSubject: {subject}\n");
    }

    [Theory]
    [InlineData(SubjectAnswers.OldForm, "")]
    [NightlyData(SubjectAnswers.Organization, "")]
    [NightlyData(SubjectAnswers.NotFound, "Not Found (HTTP 404)")]
    [NightlyData("""{"message":"Must have admin rights to Repository.","status":"403"}""", "Must have admin rights to Repository. (HTTP 403)")]
    [NightlyData("<html>a proxy's login page", "")]
    [NightlyData("[]", "")]
    public async Task Where_github_does_not_say_it_the_owner_does(string answer, string says)
    {
        var asked = await lab.RunAsync(BootstrapStandIns.All, ("GH_SUBJECT", answer), ("GH_SAYS", says));
        var told = await lab.RunAsync(["--check", .. BootstrapStandIns.All, "--subject", Numbers], ("GH_SUBJECT", answer), ("GH_SAYS", says));

        asked.Exit.ShouldBe(1);
        asked.Output.ShouldContain("no   GitHub does not say how the subject of octo-org/octo-repo's tokens begins (");
        asked.Output.ShouldContain(says);
        asked.Output.ShouldContain($"--subject with its beginning, {Names} or {Numbers}\n");
        lab.Changes.ShouldBeEmpty();
        told.Exit.ShouldBe(0, told.Output);
        told.Output.ShouldContain($"begin with {Numbers} (you say so)\n");
    }

    [Fact]
    public async Task A_subject_made_of_other_claims_is_refused_whatever_the_owner_says()
    {
        Nightly.Only("5 seconds");
        var result = await lab.RunAsync([.. BootstrapStandIns.All, "--subject", Names], ("GH_SUBJECT", SubjectAnswers.KeysOfItsOwn));

        result.Exit.ShouldBe(1);
        result.Output.ShouldContain("""no   the tokens of octo-org/octo-repo have a subject of their own, made of ["repository_owner_id","repository_id"]""");
        result.Output.ShouldContain("gh api --method PUT repos/octo-org/octo-repo/actions/oidc/customization/sub -F use_default=true");
        lab.Changes.ShouldBeEmpty();
    }

    [Fact]
    public async Task A_renamed_repository_is_asked_for_by_the_name_it_has_now()
    {
        string[] old = [.. BootstrapStandIns.All, "--repository", "octo-org/old-name"];

        var result = await lab.RunAsync(["--check", .. old], ("GH_SUBJECT", SubjectAnswers.NumbersAndTrue));

        result.Exit.ShouldBe(0, result.Output);
        result.Output.ShouldContain("ok   octo-org/old-name is called octo-org/octo-repo now\n");
        result.Output.ShouldContain($"begin with {Numbers} (GitHub)\n");
    }

    // One that the owner says, one that GitHub says
    [Theory]
    [InlineData(SubjectAnswers.Names, Numbers, "and GitHub says that the tokens of octo-org/octo-repo begin with " + Names)]
    [NightlyData(SubjectAnswers.OldForm, "repo:octo-org@1/octo-repo@2", "is not of octo-org/octo-repo, which is " + Names + " or " + Numbers)]
    [NightlyData(SubjectAnswers.OldForm, "repo:octo-org/old-name", "is not of octo-org/octo-repo")]
    [NightlyData(SubjectAnswers.OldForm, "repo:octo-org@1234567/octo-repo", "is not repo:OWNER/NAME or repo:OWNER@ID/NAME@ID")]
    [InlineData("""{"use_default":true,"sub_claim_prefix":"repo:octo-org@9/octo-repo@7654321"}""", "", "is not of octo-org/octo-repo")]
    [NightlyData("""{"use_default":true,"sub_claim_prefix":"*"}""", "", "is not of octo-org/octo-repo")]
    public async Task What_contradicts_is_told_before_anything_is_made(string answer, string subject, string says)
    {
        string[] arguments = subject.Length > 0 ? [.. BootstrapStandIns.All, "--subject", subject] : BootstrapStandIns.All;

        var result = await lab.RunAsync(arguments, ("GH_SUBJECT", answer));

        result.Exit.ShouldBe(1);
        result.Output.ShouldContain(says);
        lab.Changes.ShouldBeEmpty();
    }

    [Fact]
    public async Task A_stack_file_of_before_the_repository_was_renamed_is_told_and_kept()
    {
        Nightly.Only("10 seconds");
        if (Nightly.IsAsked)
        {
            (await lab.RunAsync(BootstrapStandIns.All)).Exit.ShouldBe(0);
        }
        else
        {
            // The line of it that counts, without the whole run that writes it.
            await File.WriteAllTextAsync(lab.File("Pulumi.main.yaml"), $"config:\n  perf-lab:githubSubject: {Names}\n");
        }

        var file = await File.ReadAllTextAsync(lab.File("Pulumi.main.yaml"));

        var result = await lab.RunAsync(BootstrapStandIns.All, ("GH_SUBJECT", SubjectAnswers.NumbersAndTrue));

        result.Exit.ShouldBe(1);
        result.Output.ShouldContain($"Pulumi.main.yaml has githubSubject {Names}: Azure would refuse every login (AADSTS700213). Write {Numbers} there\n");
        (await File.ReadAllTextAsync(lab.File("Pulumi.main.yaml"))).ShouldBe(file);
    }
}
