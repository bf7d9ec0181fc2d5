using System.Text.Json.Nodes;
using PerfLab.Programs;
using PerfLab.Runner.Commands;

namespace PerfLab.Workload.Tests.Evidence;

/// <summary>`jit` with launches; traces that somebody brings along are tested beside the command.</summary>
public class JitLaunchTests(Lab lab)
{
    [Theory]
    [InlineData("net10.0")]
    [InlineData("net11.0")]
    public async Task the_arms_of_a_cell_are_traced_and_each_says_how_it_ran(string release)
    {
        Nightly.Only("45 seconds");
        var patch = lab.PatchHere(release);
        var (code, output, error) = await JitAsync($"--base pgo=off --head pgo=on --runtime {release}");
        code.ShouldBe(0, error);
        var arms = JsonNode.Parse(output)!["cells"]!.AsArray().Single()!["arms"]!.AsArray();
        arms.Select(arm => arm!["arm"]!.GetValue<string>()).ShouldBe(["base", "head"]);
        arms.ShouldAllBe(arm => arm!["doubts"]!.AsArray().Count == 0, error);
        arms.ShouldAllBe(arm => arm!["facts"]!.AsArray().Any(fact => fact!.GetValue<string>() == ".NET " + patch));
        arms.ShouldAllBe(arm => arm!["processCpuSeconds"]!.GetValue<double>() > 0);
        arms.ShouldAllBe(arm => arm!["topMethods"]!.AsArray().Count == 10);
        arms[0]!["tiers"]!.AsObject().ShouldAllBe(tier => !tier.Key.Contains("Instrumented", StringComparison.Ordinal));
        arms[1]!["facts"]!.AsArray().ShouldContain(fact => fact!.GetValue<string>().StartsWith("TieredPGO is 1 (JIT summary", StringComparison.Ordinal));
    }

    [Fact]
    public async Task an_arm_that_can_not_be_had_leaves_the_others_their_table()
    {
        Nightly.Only("30 seconds");
        var (code, output, error) = await JitAsync("--vary pgo=off,on --runtime netcoreapp3.1,net10.0");
        code.ShouldBe(0, error);
        output.ShouldContain("unavailable: pgo=on does not go with runtime=netcoreapp3.1");
    }

    private async Task<(int Code, string Out, string Error)> JitAsync(string options)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        var root = lab.NewFolder();
        var terminal = new Terminal { Out = output, Error = error, Root = root, WorkingFolder = root, MachineLock = Path.Combine(root, "machine.lock") };
        string[] arguments = ["jit", Manifest.Of("calibrated-spin").Folder, .. options.Split(' '), "--executor", "process", "--format", "json"];
        var code = await CommandLine.InvokeAsync(arguments, terminal, TestContext.Current.CancellationToken);
        return (code, output.ToString(), error.ToString());
    }
}
