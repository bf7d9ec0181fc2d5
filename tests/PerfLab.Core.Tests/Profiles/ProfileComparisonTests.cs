using PerfLab.Core.Profiles;

namespace PerfLab.Core.Tests.Profiles;

/// <summary>Who is named, and that nobody is where nothing changed.</summary>
public sealed class ProfileComparisonTests
{
    private static readonly ProfileKind[] EveryKind = Enum.GetValues<ProfileKind>();
    private static readonly string[] Methods = [.. Enumerable.Range(1, 20).Select(number => $"Lib.Type.Method{number}()")];

    [Fact]
    public void the_method_that_takes_a_tenth_of_its_own_time_more_is_named_first_with_its_size()
    {
        // It has a fifth of everything, so 10 % of it is 2 % of everything: 20 ns of 1,000 ns.
        var named = ProfileComparison.Of(Rounds(seed: 1, slower: 0.10)).Methods;

        named[0].Method.ShouldBe("Lib.Type.Method1()");
        named[0].Change.ShouldBe(20e-9, 8e-9);
        named[0].Share.ShouldBe(0.02, 0.008);
        named[0].Low.ShouldBeGreaterThan(0);
        named[0].Agree.ShouldBeGreaterThan(0.8);
        named.Skip(1).ShouldBeEmpty();
    }

    [Fact]
    public void where_nothing_changed_somebody_is_named_in_few_of_many_tries()
    {
        Nightly.Only("10 seconds");
        var tries = Enumerable.Range(0, 300).Count(seed => ProfileComparison.Of(Rounds(seed, slower: 0, EveryKind)).Methods.Count > 0);

        // At most 5 % by Holm over all kinds together; the smallest share takes more away. Three standard errors above 5 % are 26.
        tries.ShouldBeLessThan(27);
    }

    [Fact]
    public void what_would_be_proven_of_one_method_is_not_of_one_among_twenty()
    {
        // Ranks 4 and 8 the other way: p is 0.034 for twelve rounds, 0.68 as the best of twenty.
        List<(LaunchProfile Reference, LaunchProfile Arm)> Among(int others) => [.. Enumerable.Range(1, 12).Select(rank => (
            Profile([new([Methods[0]], 100e-9), .. Idle(others)]),
            Profile([new([Methods[0]], 100e-9 + (rank is 4 or 8 ? -2e-9 * rank : 2e-9 * rank)), .. Idle(others)])))];
        static IEnumerable<StackWeight> Idle(int others) => Methods.Skip(1).Take(others).Select(method => new StackWeight([method], 5e-9));

        ProfileComparison.Of(Among(others: 0)).Methods.ShouldHaveSingleItem().AdjustedP.ShouldBe(0.034, 0.001);
        ProfileComparison.Of(Among(others: 19)).Methods.ShouldBeEmpty();
    }

    [Theory]
    [InlineData(9e-9, false)]
    [InlineData(12e-9, true)]
    public void less_than_a_hundredth_of_everything_is_named_by_nobody_however_sure_it_is(double more, bool isNamed)
    {
        // All of it together is 1,000 ns; each round has a difference of its own, and all have one sign.
        List<(LaunchProfile Reference, LaunchProfile Arm)> rounds = [.. Enumerable.Range(0, 12).Select(round => (
            Profile([new(["Lib.Small()"], 20e-9), new(["Lib.Rest()"], 980e-9)]),
            Profile([new(["Lib.Small()"], 20e-9 + more + (round * 1e-11)), new(["Lib.Rest()"], 980e-9)])))];

        ProfileComparison.Of(rounds).Methods.Any().ShouldBe(isNamed);
    }

    [Theory]
    [InlineData(12, 102, true)]
    [InlineData(12, 103, false)]
    [InlineData(10, 25, true)]
    [InlineData(10, 26, false)]
    public void so_many_rounds_can_name_one_of_so_many(int rounds, int candidates, bool can) =>
        ProfileComparison.CanName(rounds, candidates).ShouldBe(can);

    [Fact]
    public void a_method_that_only_head_has_is_named_with_nothing_before()
    {
        var rounds = Rounds(seed: 3, slower: 0).Select(round => (round.Reference,
            Profile([.. round.Arm.Of(ProfileKind.Processor), new(["Lib.Program.Main()", "Lib.New.Check()"], 80e-9)]))).ToList();

        var named = ProfileComparison.Of(rounds).Methods;

        (named[0].Method, named[0].Reference).ShouldBe(("Lib.New.Check()", 0.0));
        named[0].WithCalled.ShouldBe(80e-9, 1e-12);
    }

    [Fact]
    public void two_lucky_rounds_make_no_culprit()
    {
        var rounds = Rounds(seed: 4, slower: 0).Select((round, index) => index < 2
            ? (round.Reference, Profile([.. round.Arm.Of(ProfileKind.Processor), new(["Lib.Lucky.Method()"], 500e-9)])) : round).ToList();

        ProfileComparison.Of(rounds).Methods.ShouldNotContain(change => change.Method == "Lib.Lucky.Method()");
    }

    [Fact]
    public void a_recursive_method_is_not_counted_twice_for_what_it_called()
    {
        var rounds = Enumerable.Range(0, 12).Select(round => (
            Profile([new(["Walk()", "Walk()", "Walk()"], 100e-9 + (round * 1e-11))]), Profile([new(["Walk()", "Walk()", "Walk()"], 200e-9)]))).ToList();

        var named = ProfileComparison.Of(rounds).Methods.ShouldHaveSingleItem();

        named.WithCalled.ShouldBe(100e-9, 1e-9);
        named.Change.ShouldBe(100e-9, 1e-9);
    }

    [Fact]
    public void fewer_rounds_than_are_needed_name_nothing() =>
        ProfileComparison.Of(Rounds(seed: 1, slower: 1).Take(ProfileComparison.LeastRounds - 1).ToList()).Methods.ShouldBeEmpty();

    [Fact]
    public void no_rounds_and_no_samples_are_no_error()
    {
        ProfileComparison.Of([]).Candidates.ShouldBe(0);
        ProfileComparison.Of([]).Methods.ShouldBeEmpty();
    }

    [Fact]
    public void counters_that_moved_are_said_and_those_that_did_not_are_not()
    {
        var rounds = Enumerable.Range(0, 12).Select(round => (
            Figures((ProfileFigure.Collections, 2 + (round % 3 * 0.1)), (ProfileFigure.Exceptions, 0)),
            Figures((ProfileFigure.Collections, 2.1 + (round % 2 * 0.1)), (ProfileFigure.Exceptions, 0.5 + (round * 0.001))))).ToList();

        var named = ProfileComparison.Of(rounds).Figures.ShouldHaveSingleItem();

        (named.Figure, named.Reference).ShouldBe((ProfileFigure.Exceptions, 0.0));
        named.Change.ShouldBe(0.5, 0.02);
    }

    // Twelve rounds of a profile of 1,000 ns: method 1 has a fifth, the others the rest. Each sum of samples has a noise of 2 % of its own.
    private static List<(LaunchProfile Reference, LaunchProfile Arm)> Rounds(int seed, double slower, params ProfileKind[] kinds)
    {
        var random = new Random(seed);
        return [.. Enumerable.Range(0, 12).Select(_ => (Draw(random, 0, kinds), Draw(random, slower, kinds)))];
    }

    private static LaunchProfile Draw(Random random, double slower, ProfileKind[] kinds) => new()
    {
        Stacks = (kinds is [] ? [ProfileKind.Processor] : kinds).ToDictionary(kind => kind, _ => Stacks(random, slower)),
        Figures = new Dictionary<ProfileFigure, double>(),
    };

    private static IReadOnlyList<StackWeight> Stacks(Random random, double slower) => [.. Methods.Select((method, index) => new StackWeight(
        ["Lib.Program.Main()", method],
        (index == 0 ? 200e-9 * (1 + slower) : 800e-9 / (Methods.Length - 1)) * (1 + (0.02 * Normal(random)))))];

    private static LaunchProfile Profile(IReadOnlyList<StackWeight> stacks) =>
        new() { Stacks = new Dictionary<ProfileKind, IReadOnlyList<StackWeight>> { [ProfileKind.Processor] = stacks }, Figures = new Dictionary<ProfileFigure, double>() };

    private static LaunchProfile Figures(params (ProfileFigure Figure, double Value)[] figures) =>
        new() { Stacks = new Dictionary<ProfileKind, IReadOnlyList<StackWeight>>(), Figures = figures.ToDictionary(figure => figure.Figure, figure => figure.Value) };

    private static double Normal(Random random) => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}
