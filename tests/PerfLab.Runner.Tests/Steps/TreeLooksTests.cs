using PerfLab.Building.Manifests;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Tests.Execution;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>Whoever edits and looks thirty times, and nothing helps, is told once in hundreds of times that something did.</summary>
public sealed class TreeLooksTests : IDisposable
{
    private const double Error = 0.01;
    private const int Runs = 100, Edits = 30, Rounds = 20;

    private readonly string _root = Directory.CreateTempSubdirectory("looks-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    /// <summary>The error of each look is what the program charges; the differences are drawn, and the test over them is the real one.</summary>
    [Fact]
    public void thirty_edits_looked_at_by_disjoint_filters_are_called_better_in_one_of_a_hundred_runs_at_most()
    {
        var errors = Enumerable.Range(1, Edits).Select(edit => Look(Of($"row {edit}")).FamilyError).ToList();
        var random = new Random(7);
        var (shared, apart) = (0, 0);
        for (var run = 0; run < Runs; run++)
        {
            var (isShared, isApart) = (false, false);
            foreach (var error in errors)
            {
                var differences = Enumerable.Range(0, Rounds).Select(_ => random.NextDouble() - 0.5).ToArray();
                var (p, isBetter) = (SignedRank.Test(differences).TwoSided, new WalshAverages(differences).Centre < 0);
                isShared |= isBetter && p <= error;
                isApart |= isBetter && p <= Error;
            }

            shared += isShared ? 1 : 0;
            apart += isApart ? 1 : 0;
        }

        errors.Sum().ShouldBeLessThan(Error);
        shared.ShouldBeLessThanOrEqualTo(1);
        apart.ShouldBeGreaterThan(5, "an error each: about one run in seven");
    }

    [Fact]
    public void a_narrower_and_a_wider_choice_of_rows_and_several_arms_are_the_next_look()
    {
        Number(Of("a", "b", "c")).ShouldBe(1);
        Number(Of("a")).ShouldBe(2);
        Number(Of("d")).ShouldBe(3);
        Number(Of("a", "d", "e")).ShouldBe(4);
        Number(With(Of("a"), arms: 4)).ShouldBe(5);
    }

    [Fact]
    public void another_base_and_another_tree_begin_anew()
    {
        Number(Of("a")).ShouldBe(1);
        Number(From(Of("a"), "another")).ShouldBe(1);
        Number(Of("a")).ShouldBe(2);
        TreeLooks.Of(Of("a"), Config(Path.Combine(_root, "elsewhere")), isShared: true).Number.ShouldBe(1);
    }

    [Fact]
    public void a_plan_with_two_bases_is_a_look_at_both()
    {
        var two = Of("a", "b");
        two = two with { Cells = [two.Cells[0], From(two, "another").Cells[1]] };
        Number(two).ShouldBe(1);
        Number(Of("a")).ShouldBe(2);
        Number(From(Of("b"), "another")).ShouldBe(2);
        Number(two).ShouldBe(3);
    }

    [Fact]
    public void base_against_itself_one_arm_and_rows_that_can_not_be_measured_are_no_look()
    {
        Number(Of("a") with { IsAa = true }).ShouldBe(0);
        Number(With(Of("a"), arms: 1)).ShouldBe(0);
        var missing = Of("a");
        Number(missing with { Cells = [missing.Cells[0] with { Unavailable = "no runtime" }] }).ShouldBe(0);
        Number(Of("a")).ShouldBe(1);
    }

    [Fact]
    public void several_arms_are_held_to_the_rounds_that_they_need_together()
    {
        Look(Of("a"), times: 40);
        var nine = With(Of("a"), arms: 10);
        var wrong = Should.Throw<WrongUseException>(() => TreeLooks.Of(nine, Config(_root), isShared: true).Charged(nine));
        wrong.Message.ShouldContain("of 9 pairs");
    }

    [Fact]
    public void the_look_for_which_the_rounds_no_longer_suffice_says_that_it_is_the_looks()
    {
        Look(Of("a"), times: 71);
        var plan = Of("b");
        var looks = TreeLooks.Of(plan, Config(_root), isShared: true);
        var wrong = Should.Throw<WrongUseException>(() => looks.Charged(plan));
        wrong.Message.ShouldContain("This is look 72 of this working tree against this base, "
            + "and the looks before it have spent the rest of the 1 % that all share. Ask for at least 21, "
            + "or compare with a newer base: there the count begins anew.");
        TreeLooks.Of(plan, Config(_root), isShared: false).Charged(plan).ShouldBe(plan);
    }

    [Fact]
    public void a_line_that_a_crash_tore_is_a_look_and_joins_no_other()
    {
        Look(Of("a"));
        var file = Directory.GetFiles(Path.Combine(Config(_root).Store, "looks")).ShouldHaveSingleItem();
        File.AppendAllText(file, "\nsha2");
        Look(Of("a")).FamilyError.ShouldBe(Error / 12, 1e-9); // the third
        Number(Of("a")).ShouldBe(4);
    }

    private Policy Look(RunPlan plan, int times = 1)
    {
        var policy = plan.Policy;
        for (var time = 0; time < times; time++)
        {
            var looks = TreeLooks.Of(plan, Config(_root), isShared: true);
            policy = looks.Charged(plan).Policy;
            looks.Count();
        }

        return policy;
    }

    private int Number(RunPlan plan)
    {
        var looks = TreeLooks.Of(plan, Config(_root), isShared: true);
        looks.Count();
        return looks.Number;
    }

    /// <summary>A plan of two arms with these rows.</summary>
    private static RunPlan Of(params string[] rows)
    {
        using var session = new SessionFixture((0, Rounds));
        var cell = session.Plan.Cells[0];
        return From(session.Plan with
        {
            Cells = [.. rows.Select(row => cell with { Id = row, Parameters = new Dictionary<string, string> { ["row"] = row } })],
        }, "main");
    }

    private static RunPlan From(RunPlan plan, string source) => plan with
    {
        Cells = [.. plan.Cells.Select(cell => cell with
        {
            Arms = [.. cell.Arms.Select((arm, place) => arm with { Dimensions = new Dictionary<string, string> { ["source"] = place == 0 ? source : "." } })],
        })],
    };

    private static RunPlan With(RunPlan plan, int arms) => plan with
    {
        Cells = [.. plan.Cells.Select(cell => cell with
        {
            Arms = [.. Enumerable.Range(0, arms).Select(number => cell.Arms[Math.Min(number, 1)] with { Id = $"arm{number}" })],
        })],
    };

    private static LabConfig Config(string root) => new() { Root = root };
}
