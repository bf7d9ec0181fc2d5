using PerfLab.Building;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Launching.Proof;

namespace PerfLab.Runner.Tests.Execution;

/// <summary>What all launches of a round share, and what a proof launch shares with the measured ones of its arm.</summary>
public class LaunchConditionTests
{
    private const string Pad = "PERF_LAB_PAD";

    [Fact]
    public async Task every_arm_of_a_round_gets_the_same_length_of_environment_and_every_round_another()
    {
        using var session = new SessionFixture((8, 20), cells: 2, arms: ["0", "0.1", "0.2"]);
        session.Launcher.Script = (number, launch) => new FakeEnd(100 * (1 + SessionFixture.Slower(launch)) * (1 + (0.001 * (number % 3))));
        var samples = await session.RunAsync();

        var rounds = session.Launcher.Launched.Zip(samples.Launches).GroupBy(pair => (pair.Second.Cell, pair.Second.Stage, pair.Second.Round)).ToList();
        rounds.Count.ShouldBe(2 * (8 + 20));
        rounds.ShouldAllBe(round => round.Count() == 3 && round.Select(pair => Value(pair.First, Pad)).Distinct().Count() == 1);
        rounds.Select(round => Value(round.First().First, Pad).Length).Distinct().Count().ShouldBeGreaterThan(50);
    }

    [Fact]
    public async Task the_journal_holds_the_length_that_each_launch_got_and_the_plan_gives_it_again()
    {
        using var session = new SessionFixture((0, 13));
        session.Launcher.Script = (number, _) => number == 5 ? new FakeEnd(ExitCode: 1) : null;
        var samples = await session.RunAsync();

        samples.Launches.ShouldContain(launch => launch.Attempt == 1);
        samples.Launches.Select(launch => launch.Pad).ShouldBe(session.Launcher.Launched.Select(launch => (int?)Value(launch, Pad).Length));
        samples.Launches.ShouldAllBe(launch => launch.Pad == EnvironmentPad.Draw(7, launch.Stage, new(launch.Cell, launch.Round, Array.Empty<string>()), launch.Attempt));
    }

    [Fact]
    public void name_and_place_of_the_padding_are_fixed_and_zero_is_an_empty_value()
    {
        using var session = new SessionFixture((0, 13));
        var specs = Specs(session, null);
        var cell = session.Plan.Cells[0];
        var environments = new[] { 0, 1, 4095 }.Select(pad => specs.Of(cell, cell.Arms[0], "n", pad).Environment).ToList();
        environments.ShouldAllBe(environment => environment.Select(pair => pair.Key).SequenceEqual(environments[0].Select(pair => pair.Key)));
        environments.Select(environment => environment.Single(pair => pair.Key == Pad).Value.Length).ShouldBe([0, 1, 4095]);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("2-5")]
    public async Task a_proof_launch_gets_the_cores_environment_and_limits_of_the_measured_launches(string? cpus)
    {
        using var session = new SessionFixture((0, 13));
        var planned = session.Plan.Cells[0];
        var arm = planned.Arms[1] with { Environment = [new("DOTNET_TieredPGO", "1"), new("DOTNET_gcServer", "1"), .. planned.Arms[1].Environment] };
        var cell = planned with { Arms = [planned.Arms[0], arm] };
        var specs = Specs(session, cpus);

        await new ProofLaunches(new TracedLaunches(specs, session.Launcher)).RefusalAsync(cell, arm, CancellationToken.None);

        var proof = session.Launcher.Launched.ShouldHaveSingleItem();
        var measured = specs.Of(cell, arm, "n", 17);
        proof.Cpus.ShouldBe(cpus is null ? null : "5");
        // Every member: one that is added later is held, too.
        (proof with { Environment = measured.Environment, OutFiles = measured.OutFiles }).ShouldBe(measured);
        var added = TraceVariableNames(arm);
        added.ShouldNotBeEmpty();
        Plain(proof).ShouldBe([.. Plain(measured), .. Plain(proof).Where(pair => added.Contains(pair.Key))]);
    }

    private static LaunchSpecs Specs(SessionFixture session, string? cpus) => new("test", new ArmBuilds(session.Builds), cpus);

    private static List<string> TraceVariableNames(PlannedArm arm) =>
        [.. new TraceVariables(ProofNeed.RuntimeMajor(arm), TraceVariables.JitAndGc).Values.Select(pair => pair.Key)];

    private static IEnumerable<KeyValuePair<string, string>> Plain(LaunchSpec launch) => launch.Environment.Where(pair => pair.Key is not "PERF_LAB_NONCE" and not Pad);

    private static string Value(LaunchSpec launch, string name) => launch.Environment.Single(pair => pair.Key == name).Value;
}
