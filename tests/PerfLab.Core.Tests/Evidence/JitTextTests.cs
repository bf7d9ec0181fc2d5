using PerfLab.Core.Evidence;
using PerfLab.Reports.Why;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.Evidence;

public class JitTextTests
{
    private static readonly JitReport Report = new(
    [
        new("channel-actors / net10.0.14",
        [
            new("base", "pgo=off", Statistics([(JitTier.QuickJitted, 5.0), (JitTier.OptimizedTier1, 7.5)], cpuSeconds: 1.25), [".NET 10.0.14"], []),
            new("head", "pgo=on", Statistics([(JitTier.QuickJitted, 4.0), (JitTier.OptimizedTier1Instrumented, 1.0), (JitTier.OptimizedTier1, 10.0)], cpuSeconds: 2.5), [".NET 10.0.14"],
                ["the runtime threw 3 events away because its buffer was full"]),
        ]),
    ]);

    [Fact]
    public void text_is_as_agreed() => Golden.ShouldMatch(JitText.Plain(Report), "tests/PerfLab.Core.Tests/Evidence/golden/jit.txt");

    [Fact]
    public void markdown_is_as_agreed() => Golden.ShouldMatch(JitText.Markdown(Report), "tests/PerfLab.Core.Tests/Evidence/golden/jit.md");

    [Fact]
    public void json_is_as_agreed() => Golden.ShouldMatch(JitFile.Write(Report), "tests/PerfLab.Core.Tests/Evidence/golden/jit.json");

    [Fact]
    public void the_name_of_a_method_can_do_nothing_to_the_page()
    {
        var tally = new JitTally();
        tally.Add(new("<img src=x> | @everyone `x` \u001b[31m", JitTrigger.Foreground, JitTier.QuickJitted, 1, 1, 1));
        var page = JitText.Markdown(new([new("cell", [new("head", "", tally.Statistics(), [], [])])]));
        page.ShouldContain("| `<img src=x> ¦ @everyone 'x'` |");
        page.ShouldNotContain("\u001b");
    }

    [Fact]
    public void what_is_unavailable_spoils_nothing_and_what_failed_does()
    {
        var seen = new JitArm("base", "", Statistics([(JitTier.QuickJitted, 5.0)], cpuSeconds: 1), [], []);
        var missing = new JitArm("head", "", null, [], ["unavailable: no pack"]) { IsUnavailable = true };
        var failed = missing with { IsUnavailable = false };
        new JitReport([new("cell", [seen, missing])]).IsDone.ShouldBeTrue();
        new JitReport([new("cell", [seen, failed])]).IsDone.ShouldBeFalse();
        new JitReport([new("cell", [missing, missing])]).IsDone.ShouldBeFalse();
    }

    [Fact]
    public void endless_names_and_compilations_count_and_are_not_kept()
    {
        var tally = new JitTally();
        for (var number = 0; number < 3; number++)
        {
            tally.Add(new(new string((char)('a' + number), JitTally.MostCharacters / 2), JitTrigger.Foreground, JitTier.QuickJitted, 1, 1, 1));
        }

        for (var number = 0; number < JitTally.MostTiers + 5; number++)
        {
            tally.Add(new("", JitTrigger.Foreground, JitTier.QuickJitted, 1, 1, 1));
        }

        var statistics = tally.Statistics();
        statistics.Total.Count.ShouldBe(JitTally.MostTiers + 8);
        statistics.TopMethods.Count.ShouldBe(3);
        statistics.TopMethods[0].Totals.Count.ShouldBe(JitTally.MostTiers + 5);
        statistics.TopMethods[0].Tiers.Count.ShouldBe(JitTally.MostTiers);
    }

    [Fact]
    public void an_arm_without_a_trace_says_why_and_leaves_the_table_to_the_others()
    {
        var page = JitText.Plain(new([new("cell", [new("head", "", null, [], ["does not build: error CS1002"])])]));
        page.ShouldContain("doubt: does not build: error CS1002");
        page.ShouldNotContain("TOTAL");
    }

    private static JitStatistics Statistics((JitTier Tier, double Milliseconds)[] methods, double cpuSeconds)
    {
        var tally = new JitTally();
        foreach (var (tier, milliseconds) in methods)
        {
            tally.Add(new("Actor.Receive instance void (object)", tier == JitTier.QuickJitted ? JitTrigger.Foreground : JitTrigger.TieredBackground, tier, milliseconds, 100, 300));
        }

        return tally.Statistics() with { ProcessCpuSeconds = cpuSeconds };
    }
}
