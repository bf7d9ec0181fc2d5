using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.WorkloadKit;

namespace PerfLab.Workload.Tests.Kit;

/// <summary>
/// The rule on made-up windows of 100 ms: what stops a warm-up, and that stopping it so favours no arm. Rates are drawn from a fixed seed; a
/// launch's value is the mean rate of the ten windows after its warm-up.
/// </summary>
public sealed class RestRuleTests
{
    private const double Least = 1, Beyond = 10, Bound = Least + Beyond, Window = 0.1;
    private const int Measured = 10;

    [Fact]
    public void a_flat_program_is_at_rest_when_its_first_compilation_is_a_while_ago() =>
        WarmUp(_ => 100, window => window < 2 ? 80 : 0).Seconds.ShouldBe(0.2 + QuietTime.Usual, 0.101);

    [Fact]
    public void a_runtime_that_can_not_tell_what_it_compiles_is_judged_by_its_rate()
    {
        // Nobody saw whether anything was compiled, so it is given the time.
        WarmUp(_ => 100, _ => 0).Seconds.ShouldBe(QuietTime.Usual, 0.001);
        WarmUp(_ => 100, _ => 0, quiet: 2.9).Seconds.ShouldBe(2.9, 0.001);
        WarmUp(window => window < 30 ? 50 + window : 80, _ => 0).Seconds.ShouldBeGreaterThan(3);
    }

    [Theory]
    [InlineData(10)] // a method each second
    [InlineData(5)]
    [InlineData(1)]
    public void a_program_that_compiles_for_ever_ends_at_its_bound(int every)
    {
        var warmUp = WarmUp(_ => 100, window => window % every == 0 ? 1 : 0);
        (warmUp.Seconds, warmUp.Why).ShouldBe((Bound, Restless.Compiling));
    }

    [Fact]
    public void a_rate_that_falls_for_ever_ends_at_its_bound()
    {
        var random = new SeededRandom(7);
        var warmUp = WarmUp(window => 100 * Math.Exp(-0.02 * window) * (1 + (0.01 * random.NextNormal())), _ => 0);
        (warmUp.Seconds, warmUp.Why).ShouldBe((Bound, Restless.Trend));
    }

    [Theory]
    [InlineData(0.11)]
    [InlineData(0.19)]
    public void windows_that_come_late_are_waited_for(double window)
    {
        var falling = Enumerable.Range(1, 10).Select(one => 100.0 - (3 * one)).ToArray();
        var ends = falling.Select((_, one) => window * (one + 1)).ToArray();
        Enumerable.Range(1, 10).ShouldAllBe(count => RestRule.Judge(QuietTime.Usual, ends, falling, new long[10], count) != Restless.No);
        RestRule.Judge(QuietTime.Usual, ends, falling, new long[10], 10).ShouldBe(Restless.Trend);
    }

    /// <summary>The kit's clock is monotonic; what it can do is stand still while the machine does, and go on an hour later.</summary>
    [Theory]
    [InlineData(true)] // compiled when it went on
    [InlineData(false)]
    public void a_clock_that_jumps_by_an_hour_is_one_slow_window(bool compiles)
    {
        double[] ends = [.. Enumerable.Range(1, 20).Select(one => (0.1 * one) + (one > 14 ? 3600 : 0))];
        double[] rates = [.. Enumerable.Range(1, 20).Select(one => one == 15 ? 0.003 : 100)];
        var compiled = new long[20];
        compiled[^3] = compiles ? 5 : 0;
        RestRule.Judge(QuietTime.Usual, ends, rates, compiled, 20).ShouldBe(compiles ? Restless.Compiling : Restless.No);
    }

    /// <summary>No monotonic clock does; one that did would make a warm-up longer, never shorter.</summary>
    [Theory]
    [InlineData(0, 6, true)] // compiled 1.3 s ago
    [InlineData(-0.5, 6, false)] // 0.8 s ago, by the clock that went back
    [InlineData(-0.5, 0, true)]
    [InlineData(-3600, 0, false)]
    public void a_clock_that_goes_back_is_waited_for(double seconds, int compiles, bool isAtRest)
    {
        double[] ends = [.. Enumerable.Range(1, 20).Select(one => (0.1 * one) + (one > 14 ? seconds : 0))];
        double[] rates = [.. Enumerable.Range(1, 20).Select(one => one == 15 ? 10 / (0.1 + seconds) : 100)];
        var compiled = new long[20];
        compiled[compiles] = 5;
        RestRule.Judge(QuietTime.Usual, ends, rates, compiled, 20).ShouldBe(isAtRest ? Restless.No : Restless.Compiling);
    }

    [Fact]
    public void a_second_step_of_the_jit_begins_the_while_anew() =>
        WarmUp(window => window < 9 ? 60 : 100, window => window is 0 or 9 ? 9 : 0).Seconds.ShouldBeGreaterThan(0.9 + QuietTime.Usual);

    /// <summary>
    /// The runtime waits a second, a method that is new meanwhile makes it wait once more: two seconds lie between two steps of the JIT.
    /// </summary>
    [Theory]
    [InlineData(2.9, 4.2 + 2.9)]
    [InlineData(QuietTime.Usual, 0.2 + QuietTime.Usual)] // measured in the first tier
    public void on_one_core_the_second_step_comes_two_seconds_after_the_first(double quiet, double seconds)
    {
        var warmUp = WarmUp(window => window < 41 ? 20 : 100, window => window is 0 or 1 or 21 or 41 ? 9 : 0, quiet: quiet);
        warmUp.Seconds.ShouldBe(seconds, 0.101);
        warmUp.Why.ShouldBe(Restless.No);
    }

    [Fact]
    public void pieces_that_are_longer_than_the_while_are_looked_at_one_by_one()
    {
        double[] ends = [3, 6, 9];
        RestRule.Judge(QuietTime.Usual, ends, [1, 1.1, 1.1], [200, 0, 40], 1).ShouldBe(Restless.Compiling);
        RestRule.Judge(QuietTime.Usual, ends, [1, 1.1, 1.1], [200, 0, 40], 2).ShouldBe(Restless.No);
        RestRule.Judge(QuietTime.Usual, ends, [1, 1.1, 1.1], [200, 0, 40], 3).ShouldBe(Restless.Compiling);
    }

    /// <summary>
    /// Base and head are the same program. What stops a launch's warm-up is its own windows, so the two values of a round have the same law
    /// whatever the shape, and the signed-rank test keeps its level: 1 %, so 4 of 400 sessions are to be expected.
    /// </summary>
    [Theory]
    [InlineData("noisy")]
    [InlineData("drifting")]
    [InlineData("settling")]
    [InlineData("falling")]
    [InlineData("two modes")]
    public void stopping_the_warm_up_flags_no_program_against_itself(string shape) =>
        Flagged(shape, headLeast: Least).ShouldBeLessThanOrEqualTo(11); // more in 1 of 500 tests of a rule that is right

    [Fact]
    public void a_rule_that_treated_one_arm_otherwise_would_be_seen() => Flagged("falling", headLeast: 2 * Least).ShouldBeGreaterThan(200);

    [Theory]
    [InlineData(10)]
    [InlineData(60)]
    public void an_arm_that_settles_late_is_measured_at_the_rate_that_it_settles_at(int late)
    {
        var random = new SeededRandom(3);
        var differences = Enumerable.Range(0, 20).Select(_ =>
            Math.Log(Value(random, "steps", 10, Least).Rate) - Math.Log(Value(random, "steps", late, Least).Rate)).ToArray();
        differences.Average().ShouldBe(0, 0.01);
    }

    [Fact]
    public void an_arm_that_settles_after_its_bound_says_so_in_every_launch()
    {
        var random = new SeededRandom(4);
        Enumerable.Range(0, 20).ShouldAllBe(_ => Value(random, "steps", 200, Least).Why != Restless.No);
    }

    [Fact]
    public void of_a_row_whose_arms_settle_after_1_and_after_20_seconds_the_late_one_says_so_until_20_are_asked_for()
    {
        const int Early = 10, Late = 200;
        var random = new SeededRandom(6);
        Enumerable.Range(0, 20).ShouldAllBe(_ => Value(random, "steps", Early, Least).Why == Restless.No
            && Value(random, "steps", Late, Least).Why == Restless.Compiling);
        var differences = Enumerable.Range(0, 20).Select(_ =>
            Math.Log(Value(random, "steps", Early, 20).Rate) - Math.Log(Value(random, "steps", Late, 20).Rate)).ToArray();
        differences.Average().ShouldBe(0, 0.01);
    }

    private static int Flagged(string shape, double headLeast)
    {
        var random = SeededRandom.For(20260101, shape);
        return Enumerable.Range(0, 400).Count(_ =>
        {
            double[] differences = [.. Enumerable.Range(0, 20).Select(_ =>
                Math.Log(Value(random, shape, 0, headLeast).Rate) - Math.Log(Value(random, shape, 0, Least).Rate))];
            return SignedRank.Test(differences).TwoSided <= 0.01;
        });
    }

    /// <summary>The rate that a launch of this shape measures, and what was not at rest when it began to.</summary>
    private static (double Rate, Restless Why) Value(SeededRandom random, string shape, int late, double least)
    {
        var (mode, tau, slow) = (random.Next(2), 2 + random.Next(20), 0.0);
        double Rate(int window)
        {
            slow = (0.9 * slow) + (0.02 * random.NextNormal());
            return 100 * (1 + (0.02 * random.NextNormal())) * shape switch
            {
                "noisy" => Math.Max(0.1, 1 + (0.1 * random.NextNormal())),
                "drifting" => Math.Exp(slow),
                "settling" => 1 - (0.7 * Math.Exp(-window / (double)tau)),
                "falling" => Math.Exp(-0.002 * window),
                "two modes" => (mode = random.NextDouble() < 0.03 ? 1 - mode : mode) == 0 ? 1 : 1.3,
                _ => window < late ? 0.5 + (0.4 * window / late) : 1,
            };
        }

        long Compiled(int window) => shape == "steps" && window < late ? 3 : window < 2 + random.Next(3) ? 20 : 0;
        var warmUp = WarmUp(Rate, Compiled, least);
        return (Enumerable.Range(warmUp.Windows, Measured).Average(Rate), warmUp.Why);
    }

    private static (double Seconds, Restless Why, int Windows) WarmUp(Func<int, double> rate, Func<int, long> compiled, double least = Least,
        double quiet = QuietTime.Usual)
    {
        var (ends, rates, methods) = (new List<double>(), new List<double>(), new List<long>());
        while (true)
        {
            methods.Add(compiled(ends.Count));
            rates.Add(rate(ends.Count));
            ends.Add(Math.Round(Window * (ends.Count + 1), 3));
            var why = RestRule.Judge(quiet, [.. ends], [.. rates], [.. methods], ends.Count);
            if ((ends[^1] >= least && why == Restless.No) || ends[^1] >= least + Beyond)
            {
                return (ends[^1], why, ends.Count);
            }
        }
    }
}
