using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Core.Tests.Workloads;

public class FollowingKnobsTests
{
    private static readonly string[] Runtimes = ["netcoreapp3.1", "net6.0", "net7.0", "net8.0", "net9.0", "net10.0"];

    private static IReadOnlySet<string> Of(params string[] arms) => FollowingKnobs.Of(
        [.. arms.Select(arm => (IReadOnlyDictionary<string, string>)arm.Split(' ').Select(pair => pair.Split('=')).ToDictionary(pair => pair[0], pair => pair[1]))]);

    [Fact]
    public void what_comes_with_the_runtime_follows() =>
        Of("runtime=netcoreapp3.1.3 pgo=off osr=off quick-jit-for-loops=off", "runtime=net10.0.14 pgo=on osr=on quick-jit-for-loops=on")
            .ShouldBe(["pgo", "quick-jit-for-loops", "osr"], ignoreOrder: true);

    [Fact]
    public void what_comes_with_another_knob_follows_and_that_knob_does_not() =>
        Of("runtime=net8.0.33 pgo=off readytorun=on", "runtime=net8.0.33 pgo=full readytorun=off").ShouldBe(["readytorun"]);

    [Fact]
    public void a_knob_that_deviates_in_one_arm_was_chosen_and_counts_in_all() =>
        Of("runtime=netcoreapp3.1.3 osr=off", "runtime=net10.0.14 osr=on", "runtime=net10.0.14 osr=off").ShouldBeEmpty();

    [Fact]
    public void tiering_was_chosen_and_not_the_pgo_that_goes_with_it() =>
        Of("runtime=net8.0.33 tiering=on pgo=on", "runtime=net8.0.33 tiering=off pgo=off").ShouldBe(["pgo"]);

    [Fact]
    public void a_collector_that_differs_along_with_the_runtime_was_chosen_all_the_same() =>
        Of("runtime=net8.0.33 gc=workstation", "runtime=net10.0.14 gc=server").ShouldBeEmpty();

    [Fact]
    public void a_knob_that_not_every_arm_has_tells_arms_apart() =>
        Of("runtime=net8.0.33 osr=on", "runtime=net8.0.33").ShouldBeEmpty();

    [Theory]
    [InlineData("runtime=|[x](javascript:1) osr=off", "runtime=.. osr=off")]
    [InlineData("osr=on pgo=", "osr=\u202E pgo=on")]
    public void strange_values_of_a_foreign_journal_are_kept(string one, string other) => Of(one, other).ShouldBeEmpty();

    [Fact]
    public void leaving_following_knobs_out_never_makes_two_settings_the_same()
    {
        // Whatever one or two knobs are asked for, on every runtime.
        string[] all = [.. RuntimeKnobs.All.SelectMany(knob => knob.Values.Select(value => $"{knob.Name}={value}"))];
        var settings = Runtimes.SelectMany(runtime => all.SelectMany(one => all.Select(other => (Runtime: runtime, Setting: Settle(runtime, one, other)))))
            .Where(pair => pair.Setting.Clashes.Count == 0)
            .Select(pair => new Dictionary<string, string>(pair.Setting.Values) { ["runtime"] = pair.Runtime + ".1" }).ToList();
        foreach (var chosen in RuntimeKnobs.All.Select(knob => knob.Name))
        {
            // A session in which only this knob (and the runtime) was varied: the others stand where they stand by themselves.
            List<Dictionary<string, string>> session = [.. settings.Where(values => FollowingKnobs.Of([values]).IsSupersetOf(RuntimeKnobs.All.Select(knob => knob.Name).Where(name => name != chosen)))];
            var following = FollowingKnobs.Of(session);
            session.Select(values => string.Join(' ', values.OrderBy(pair => pair.Key).Select(pair => pair.Value))).Distinct().Count()
                .ShouldBe(session.Select(values => string.Join(' ', values.Where(pair => !following.Contains(pair.Key)).OrderBy(pair => pair.Key).Select(pair => pair.Value))).Distinct().Count(), chosen);
        }
    }

    [Fact]
    public void what_follows_need_not_be_asked_for_to_be_settled_so_again()
    {
        string[] all = [.. RuntimeKnobs.All.SelectMany(knob => knob.Values.Append(RuntimeKnobs.Untouched).Select(value => $"{knob.Name}={value}"))];
        foreach (var (runtime, one, other) in Runtimes.SelectMany(runtime => all.SelectMany(one => all.Select(other => (runtime, one, other)))))
        {
            var settled = Settle(runtime, one, other).Values;
            var following = FollowingKnobs.Of([new Dictionary<string, string>(settled) { ["runtime"] = runtime + ".1" }]);
            KnobSetting.Settle(runtime, 2, settled.Where(pair => !following.Contains(pair.Key)).ToDictionary()).Values.ShouldBe(settled, $"{runtime} {one} {other}");
        }
    }

    private static KnobSetting Settle(string runtime, string one, string other)
    {
        var asked = new[] { one, other }.Select(text => text.Split('=')).GroupBy(pair => pair[0]).ToDictionary(pairs => pairs.Key, pairs => pairs.First()[1]);
        return KnobSetting.Settle(runtime, 2, asked);
    }
}
