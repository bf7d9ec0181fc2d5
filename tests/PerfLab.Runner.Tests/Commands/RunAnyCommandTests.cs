using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>`run --command --against`: two commands from the command line to a verdict.</summary>
[Collection("sessions")]
public sealed class RunAnyCommandTests : IDisposable
{
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task a_slower_command_is_called_regressed_and_the_line_under_it_measures_it_again()
    {
        Nightly.Only("15 seconds");
        var (code, output, error) = await RunAsync(
            "--command", "sleep '0.2'", "--against", "sleep 0.01", "--rounds", "0+13", "--seed", "7", "--out", "session");
        code.ShouldBe(0, error);
        output.ShouldMatch(@" is [0-9.]+( %|x) slower");
        output.ShouldContain("unsealed, as you");
        output.ShouldContain("no row is ever not-steady");
        File.ReadAllText(At("session/report.md"))
            .ShouldContain(@"./perf-lab run --command 'sleep '\''0.2'\''' --against 'sleep 0.01' --rounds 0+13");
        var samples = JournalReader.Read(File.ReadAllBytes(At("session/samples.ndjson"))).Samples.ShouldNotBeNull();
        samples.Launches.ShouldAllBe(launch => launch.Outcome == Outcome.Measured && launch.Metrics.Count == 2 && launch.Metrics[
            "time"] == launch.WallSeconds);
        samples.Launches.Select(launch => launch.Pad).Distinct().Count().ShouldBeGreaterThan(3);
        samples.Header.Cells[0].Arms.ShouldAllBe(arm => arm.Il == null);
        (code, _, error) = await RunAsync("--resume", "session");
        code.ShouldBe(0, error);
    }

    [Fact]
    public async Task five_rounds_are_a_quick_look_that_says_so()
    {
        var (code, output, error) = await RunAsync("--command", "sleep '0.2'", "--against", "sleep 0.01", "--rounds", "5", "--seed", "7", "--out", "session");
        code.ShouldBe(0, error);
        output.ShouldMatch(@"perf-lab: 5 rounds, no verdict \(13 may give one\): .*slower in all 5");
        output.ShouldContain("no verdict, slower in all 5");
        foreach (var format in new[] { "text", "markdown", "html" })
        {
            var report = await _lab.RunAsync($"report session --details --format {format}");
            report.Out.ShouldContain("change");
            report.Out.ShouldMatch("(rounds|launches in pairs)", "what was measured stays");
            report.Out.Replace('\u00A0', ' ').ShouldNotMatch(@"adj\. p|change \(|detectable|could show|False-flag budget");
            report.Out.ShouldContain("A quick look flags nothing: it has no false-flag budget.");
        }

        var again = await _lab.RunAsync("compare session --fail-on regression");
        again.Out.ShouldContain("no verdict, slower in all 5");
        again.Error.ShouldContain("--fail-on regression fails on nothing: 5 rounds show a direction and give no verdict");
        (code, _, _) = await RunAsync("--command", "true", "--against", "false", "--rounds", "5", "--fail-on", "regression");
        code.ShouldBe(2);
    }

    [Fact]
    public async Task the_same_command_twice_is_not_launched_and_with_aa_it_is()
    {
        var (code, output, error) = await RunAsync("--command", "true", "--against", "true", "--fail-on", "budget");
        code.ShouldBe(0, error);
        output.ShouldContain("identical-build");
        error.ShouldContain("--fail-on budget fails on nothing: perf-lab.yaml says no budget. Example, 5 % since the anchor: budget: 0.05");
        (code, output, error) = await RunAsync("--command", "true", "--aa", "--rounds", "0+5", "--out", "session");
        code.ShouldBe(0, error);
        output.ShouldNotContain("identical-build");
        PlanFile.File.Read(File.ReadAllText(At("session/plan.json"))).Value!.Plan.IsAa.ShouldBeTrue();
    }

    [Fact]
    public async Task one_command_has_values_and_no_verdict()
    {
        var (code, output, error) = await RunAsync("--command", "true", "--rounds", "3+0");
        code.ShouldBe(0, error);
        output.ShouldContain("time");
    }

    [Fact]
    public async Task a_command_that_fails_is_a_failed_row_with_its_last_words()
    {
        await File.WriteAllTextAsync(At("bad.sh"), "echo 'no such input' >&2; exit 3", TestContext.Current.CancellationToken);
        var (code, output, error) = await RunAsync("--command", "sh bad.sh", "--against", "true", "--rounds", "0+13");
        code.ShouldBe(1, error);
        output.ShouldContain("failed");
        output.ShouldContain("no such input");
    }

    [Fact]
    public async Task in_turns_a_slower_command_is_called_so_by_what_each_ran_itself()
    {
        // By day a quick look: thirteen rounds of commands that work take half a minute, and what a verdict is made of is the same.
        var rounds = Nightly.IsAsked ? 13 : 5;
        var (code, output, error) = await RunAsync("--command", Work(0.25), "--against", Work(0.12), "--rounds", $"0+{rounds}", "--pairing",
            "turns:5x10ms", "--seed", "7", "--out", "session");
        code.ShouldBe(0, error);
        error.ShouldContain("in turns (at least 5x10ms)");
        output.ShouldMatch(Nightly.IsAsked ? @" is [0-9.]+( %|x) slower" : "slower in all 5");
        var report = await File.ReadAllTextAsync(At("session/report.md"), TestContext.Current.CancellationToken);
        report.ShouldContain($"--rounds 0+{rounds} --pairing turns:5x10ms");
        report.ShouldContain("in turns, cut from outside into slices of 10 ms");
        var samples = JournalReader.Read(File.ReadAllBytes(At("session/samples.ndjson"))).Samples.ShouldNotBeNull();
        samples.Header.Cells[0].Turns.ShouldBe(new TurnPlan(5, 0.01) { ByClock = true });
        samples.Launches.Count(launch => launch.Outcome == Outcome.Measured).ShouldBeGreaterThanOrEqualTo(2 * rounds);
        samples.Launches.Where(launch => launch.Outcome == Outcome.Measured).ShouldAllBe(launch => launch.Turns!.Work == null
            && launch.Metrics["time"] == launch.Turns.Seconds.Sum() && launch.Metrics["time"] < launch.WallSeconds);
        (code, _, error) = await RunAsync("--resume", "session");
        code.ShouldBe(0, error);
    }

    [Theory]
    [InlineData("true", "true x",
        "the pilot launch of base took 0[0-9.]* s, too short to be cut into 10 slices of 50 ms; measure it with --pairing launches")]
    [NightlyData("true", "sleep 0.7",
        "the pilot launch of base worked for 0[0-9.]* s of 0[.][7-9][0-9]* s: what it waits for goes on while it is frozen; measure it")]
    [NightlyData("sh bad.sh", "WORK", "the pilot launch of head failed: exit code 3")]
    public async Task what_can_not_be_cut_is_refused_by_its_pilot_with_what_to_type(string command, string against, string reason)
    {
        await File.WriteAllTextAsync(At("bad.sh"), "echo 'no such input' >&2; exit 3", TestContext.Current.CancellationToken);
        var (code, output, error) = await RunAsync("--command", command, "--against", against == "WORK" ? Work(0.55) : against,
            "--rounds", "0+13", "--pairing", "turns", "--out", "session");
        code.ShouldBe(1, error);
        output.ShouldContain("refused");
        var launch = JournalReader.Read(File.ReadAllBytes(At("session/samples.ndjson"))).Samples!.Launches.ShouldHaveSingleItem();
        (launch.Outcome, launch.Tail?.Trim()).ShouldBe((Outcome.Refused, command == "sh bad.sh" ? "no such input" : null));
        launch.Reason!.ShouldMatch(reason);
    }

    [Fact]
    public async Task wherever_it_can_a_command_is_launched_and_the_plan_says_why()
    {
        var (code, output, error) = await RunAsync("--command", "true", "--against", "false", "--pairing", "auto", "--dry-run");
        code.ShouldBe(0, error);
        output.ShouldContain("one launch after the other: only a launch of a command shows whether it is long enough to be cut");
    }

    [Theory]
    [InlineData("--command: names no program.", "--command", "")]
    [InlineData("--command: a quote (') is not closed: a 'b", "--command", "a 'b")]
    [InlineData("--command: 'no-such-program' is in no folder of your PATH.", "--command", "no-such-program x")]
    [InlineData("A program of this folder is written './perf-lab.yaml'.", "--command", "perf-lab.yaml")]
    [InlineData("perf-lab.yaml is not executable. chmod +x it", "--command", "./perf-lab.yaml")]
    [InlineData("--against: there is no ", "--command", "true", "--against", "./nowhere")]
    [InlineData("--command: '/' is a folder.", "--command", "/")]
    [InlineData("--command: is not given.", "--against", "true")]
    [InlineData("--command: is compared with --against, and takes no target.", "--command", "true", "behaving")]
    [InlineData("--command: is compared with --against, and takes no --pgo.", "--command", "true", "--pgo", "on")]
    [InlineData("--aa: compares --command with itself: leave --against out.", "--command", "true", "--against", "true", "--aa")]
    [InlineData("--pairing: one command has nobody to take turns with. Name --against", "--command", "true", "--pairing", "turns")]
    [InlineData("--pairing: --timeout 0.5 leaves no time for 10x50ms.",
        "--command", "true", "--aa", "--pairing", "turns", "--timeout", "0.5")]
    [InlineData("--pairing: 'turns:4x50ms' is no way of pairing.", "--command", "true", "--aa", "--pairing", "turns:4x50ms")]
    [InlineData("--timeout: 0 is out of range.", "--command", "true", "--timeout", "0")]
    [InlineData("--executor: commands run on this machine", "--command", "true", "--executor", "docker")]
    [InlineData("'3+' is not S+C", "--command", "true", "--against", "false", "--rounds", "3+")]
    public async Task wrong_use_says_what_to_do(string said, params string[] arguments)
    {
        var (code, _, error) = await RunAsync(arguments);
        (code, error.Contains("   at ", StringComparison.Ordinal)).ShouldBe((2, false), error);
        error.ShouldContain(said);
    }

    [Fact]
    public async Task a_plan_of_commands_can_not_be_packed_for_another_machine()
    {
        var (code, output, error) = await RunAsync("--command", "true", "--dry-run", "--json");
        code.ShouldBe(0, error);
        await File.WriteAllTextAsync(At("plan.json"), output, TestContext.Current.CancellationToken);
        (code, _, error) = await _lab.RunAsync("build plan.json --pack head.tar");
        code.ShouldBe(1);
        error.ShouldContain("which are not built but lie on this machine");
    }

    /// <summary>A command that works for so many seconds of its own.</summary>
    private static string Work(double seconds) => FormattableString.Invariant($"perl -e '1 while (times)[0] < {seconds}'");

    private string At(string name) => Path.Combine(_lab.Root, name);

    private Task<(int Code, string Out, string Error)> RunAsync(params string[] arguments) =>
        _lab.RunWordsAsync(["run", .. arguments], TestContext.Current.CancellationToken);
}
