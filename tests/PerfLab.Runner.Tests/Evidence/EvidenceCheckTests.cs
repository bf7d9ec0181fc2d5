using System.Diagnostics;
using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Launching;
using PerfLab.Launching.Proof;
using PerfLab.Runner.Tests.Evidence.Traces;

namespace PerfLab.Runner.Tests.Evidence;

/// <summary>The files that a launch leaves as proof are hostile: whatever lies there, the launch gets a judgement.</summary>
public sealed class EvidenceCheckTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("evidence-").FullName;

    private string JitFile => Path.Combine(_folder, "jit.txt");

    private string SettingsFile => Path.Combine(_folder, "settings.nettrace");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void a_launch_that_left_its_jit_summary_is_proven_by_it()
    {
        LeaveSummary(instrumented: 20);
        var verdict = Check("on");
        verdict.Disagreement.ShouldBeNull();
        verdict.Proof!["settings"]!["TieredPGO"]!.ToJsonString()
            .ShouldBe("""{"planned":"1","is":"1","by":"JIT summary, 20 of 60 methods instrumented","strength":"direct"}""");
        verdict.Proof["jitSummary"]!["instrumented"]!.GetValue<int>().ShouldBe(20);
    }

    [Fact]
    public void a_launch_that_ran_otherwise_is_refused_with_the_figure()
    {
        LeaveSummary(instrumented: 20);
        Check("off").Disagreement.ShouldBe("planned TieredPGO=0, runtime reports 1 (JIT summary, 20 of 60 methods instrumented)");
    }

    [Fact]
    public void without_a_jit_summary_a_launch_on_net8_and_later_does_not_count() =>
        Check("on").Disagreement.ShouldBe("its JIT left no list of what it compiled: the lab's variables did not reach the runtime");

    [Fact]
    public void before_net8_there_is_no_jit_summary_to_miss() => Check("on", "7.0.20").Disagreement.ShouldBeNull();

    [Fact]
    public void a_program_without_a_jit_is_left_alone() => Check("on", reported: """{"jit":{"methods":0}}""").Disagreement.ShouldBeNull();

    [Fact]
    public void a_link_in_the_place_of_the_summary_is_not_followed()
    {
        File.CreateSymbolicLink(JitFile, "/etc/passwd");
        Check("on").Disagreement.ShouldNotBeNull().ShouldContain("the JIT summary is a link");
    }

    [Fact]
    public void a_pipe_in_the_place_of_the_summary_is_not_waited_for()
    {
        using (var mkfifo = Process.Start("mkfifo", JitFile))
        {
            mkfifo.WaitForExit();
        }

        Check("on").Disagreement.ShouldNotBeNull().ShouldContain("expected a regular file");
    }

    [Fact]
    public void a_gigabyte_in_the_place_of_the_summary_is_not_read()
    {
        using (var file = File.Create(JitFile))
        {
            file.SetLength(1L << 30);
        }

        Check("on").Disagreement.ShouldNotBeNull().ShouldContain("1073741824 bytes, expected at most");
    }

    [Theory]
    [InlineData("empty")]
    [InlineData("foreign")]
    [InlineData("cut")]
    [InlineData("lost")]
    public void a_rundown_that_is_not_whole_counts_for_nothing_and_says_why(string kind)
    {
        LeaveSummary(instrumented: 20);
        File.WriteAllBytes(SettingsFile, kind switch
        {
            "empty" => [],
            "foreign" => "GIF89a"u8.ToArray(),
            "cut" => TraceFixtures.Read("9.0.22-0")[..5000],
            _ => TraceFixtures.Read("lost"),
        });
        var verdict = Check("on");
        verdict.Disagreement.ShouldBeNull();
        verdict.Proof!["doubts"]!.AsArray().Single()!.GetValue<string>().ShouldStartWith("the runtime's rundown does not count: ");
        verdict.Proof["rundown"].ShouldBeNull();
    }

    [Theory]
    [InlineData("""{"framework":5,"variables":[1],"gcConfiguration":"x","jit":[],"processors":"many","gcServer":"yes"}""")]
    [InlineData("""{"jit":{"methods":1e300},"variables":null}""")]
    public void evidence_of_any_shape_gets_a_judgement(string reported)
    {
        LeaveSummary(instrumented: 20);
        Check("on", reported: reported).Disagreement.ShouldBeNull();
    }

    [Fact]
    public void an_arm_without_knobs_needs_no_proof()
    {
        var arm = Arm("on", "10.0.14") with { Environment = [], Recipe = new() { Workload = "script", Folder = _folder, Kind = BuildKind.None } };
        EvidenceCheck.Of(arm, [], End(), null).ShouldBe(new EvidenceVerdict(null, null));
    }

    [Fact]
    public void a_program_without_the_kit_counts_and_its_runtime_is_said_to_be_unproven()
    {
        LeaveSummary(instrumented: 20);
        var arm = Arm("on", "10.0.14");
        var verdict = EvidenceCheck.Of(arm, [], End(), null);
        verdict.Disagreement.ShouldBeNull();
        Indirect(verdict).ShouldContain("runtime");
        Indirect(EvidenceCheck.Of(arm, new() { ["framework"] = ".NET 10.0.14" }, End(), null)).ShouldNotContain("runtime");
    }

    private static IEnumerable<string> Indirect(EvidenceVerdict verdict) => verdict.Proof!["indirect"]!.AsArray().Select(name => name!.GetValue<string>());

    private EvidenceVerdict Check(string pgo, string patch = "10.0.14", string reported = "{}") =>
        EvidenceCheck.Of(Arm(pgo, patch), JsonNode.Parse(reported)!.AsObject(), End(), null);

    private PlannedArm Arm(string pgo, string patch)
    {
        var knobs = KnobSetting.Settle($"net{Version.Parse(patch).Major}.0", 2, new Dictionary<string, string> { ["pgo"] = pgo }).Values;
        return new()
        {
            Id = "head",
            Dimensions = new Dictionary<string, string>(),
            Recipe = new() { Workload = "w", Folder = _folder, Kind = BuildKind.Dotnet, RuntimePatch = patch },
            Command = ["./w"],
            Environment = KnobSetting.Environment(knobs, alsoComPlus: false),
        };
    }

    private LaunchEnd End() => new() { How = EndKind.Exited, ExitCode = 0, WallSeconds = 1, ResultFile = Path.Combine(_folder, "result.json") };

    private void LeaveSummary(int instrumented) => File.WriteAllLines(JitFile,
    [
        .. Enumerable.Repeat("   1: JIT compiled A:B() [Instrumented Tier0, IL size=1, code size=2]", instrumented),
        .. Enumerable.Repeat("   2: JIT compiled A:B() [Tier1, IL size=1, code size=2]", 60 - instrumented),
    ]);
}
