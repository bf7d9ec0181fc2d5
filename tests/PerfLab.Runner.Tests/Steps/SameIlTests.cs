using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Tests.Execution;

namespace PerfLab.Runner.Tests.Steps;

public sealed class SameIlTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("same-il-");

    private static readonly Workload Program = new()
    {
        Name = "program",
        Summary = "fake",
        Folder = "/nowhere",
        Build = new() { Kind = BuildKind.Dotnet, Project = "p.csproj", Runtimes = ["net8.0", "net10.0"] },
        Command = ["./p"],
        Modes = [new("steady", [new("time", "s", Better.Lower, Primary: true)])],
        Launch = new(0, 1, 60),
        Resources = new(2, 1L << 30, 64),
    };

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void arms_with_one_il_are_left_alone_and_the_journal_gets_its_name()
    {
        var held = Hold(Plan(sameIl: true), Published("8.0.33", "code"), Published("10.0.14", "code"));
        held.Results.Values.ShouldAllBe(result => result.Failure == null);
        var arms = held.ToCells(Plan(sameIl: true)).Single().Arms;
        arms[0].Il.ShouldNotBeNull().ShouldBe(arms[1].Il);
        arms[0].Build.ShouldNotBe(arms[1].Build);
    }

    [Fact]
    public void an_arm_with_another_il_gets_no_build_and_the_difference_is_named()
    {
        var held = Hold(Plan(sameIl: true), Published("8.0.33", "code"), Published("10.0.14", "other code"));
        held["c001", "base"].Failure.ShouldBeNull();
        held["c001", "head"].Failure.ShouldBe("--same-il was asked for, but App.dll is not the same as in arm 'base': more than the runtime would differ.");
    }

    [Fact]
    public async Task measuring_launches_arms_with_one_il()
    {
        using var launcher = Launcher();
        var (reference, head) = (Published("8.0.33", "code"), Published("10.0.14", "code"));
        var (samples, _) = await MeasuredAsync(launcher, Builds(reference, head));
        launcher.Launched.Select(launch => launch.Build).Distinct().ShouldBe([reference, head], ignoreOrder: true);
        samples.Launches.ShouldAllBe(launch => launch.Outcome == Outcome.Measured);
    }

    [Fact]
    public async Task measuring_never_starts_an_arm_with_another_il_and_its_row_says_why()
    {
        using var launcher = Launcher();
        var (samples, comparison) = await MeasuredAsync(launcher, Builds(Published("8.0.33", "code"), Published("10.0.14", "other code")));
        launcher.Launched.ShouldBeEmpty("a reference alone has nothing to be compared with");
        samples.Launches.ShouldAllBe(launch => launch.Arm == "head" && launch.Outcome == Outcome.Refused);
        var row = comparison.Cells.Single(figures => figures.Primary);
        row.Verdict.ShouldBe(Verdict.Failed);
        row.Warnings.ShouldContain(warning => warning.Contains("--same-il was asked for, but App.dll is not the same as in arm 'base'"));
    }

    [Fact]
    public async Task jit_never_traces_an_arm_with_another_il()
    {
        using var launcher = Launcher();
        var reference = Published("8.0.33", "code");
        using StringWriter output = new(), error = new();
        var report = await new JitStep(Open(output, error), launcher)
            .RunAsync(Plan(sameIl: true), Builds(reference, Published("10.0.14", "other code")), TestContext.Current.CancellationToken);
        launcher.Launched.ShouldHaveSingleItem().Build.ShouldBe(reference);
        report.Cells.Single().Arms[1].Doubts.ShouldHaveSingleItem().ShouldContain("--same-il was asked for, but App.dll is not the same as in arm 'base'");
    }

    [Fact]
    public void a_build_without_a_description_can_prove_nothing()
    {
        var bare = Published("10.0.14", "code");
        File.Delete(Path.Combine(bare.Folder, "App.deps.json"));
        Hold(Plan(sameIl: true), bare, bare with { Identity = "sha256:other" })["c001", "head"].Failure.ShouldNotBeNull().ShouldContain("no assembly was found");
    }

    [Fact]
    public void without_the_wish_nothing_is_held_against_anything() =>
        Hold(Plan(sameIl: false), Published("8.0.33", "code"), Published("10.0.14", "other code"))["c001", "head"].Failure.ShouldBeNull();

    [Theory]
    [InlineData("")]
    [InlineData("[]")]
    [InlineData("""{"runtimeTarget":{"name":"t"},"targets":{"t":{"App/1":{"runtime":{"../../secret.dll":{}}}}},"libraries":{}}""")]
    [InlineData("""{"runtimeTarget":7,"targets":{"t":[]},"libraries":[]}""")]
    [InlineData("""{"runtimeTarget":{"name":"t"},"runtimeTarget":{"name":"t"},"targets":{"t":{}},"libraries":{}}""")]
    [InlineData("""{"runtimeTarget":{"name":"t"},"targets":{"t":{"App/1":{"runtime":{"\ud800":{}}}}},"libraries":{}}""")]
    public void a_strange_description_names_no_il_and_reads_nothing_outside(string deps)
    {
        File.WriteAllText(Path.Combine(_folder.FullName, "secret.dll"), "secret");
        var inside = Directory.CreateDirectory(Path.Combine(_folder.FullName, "a", "b")).FullName;
        File.WriteAllText(Path.Combine(inside, "App.deps.json"), deps);
        IlIdentity.Of(inside).ShouldBeNull();
    }

    private static RunPlan Plan(bool sameIl) => Planner.Plan(
        new BenchmarkRequest
        {
            Targets = [],
            Arms = [ArmText.Parse("", "base", "runtime=net8.0", []), ArmText.Parse("", "head", "runtime=net10.0", [])],
            SameIl = sameIl,
            Rounds = (0, 13),
            Seed = 7,
        },
        new([Program], (text, _) => (new(text, text, text[3..] + ".14", null), null))).Plan!;

    private static ArmBuilds Hold(RunPlan plan, Build reference, Build head) => SameIl.Check(plan, Builds(reference, head));

    private static ArmBuilds Builds(Build reference, Build head) => new(new Dictionary<(string Cell, string Arm), BuildResult>
    {
        [("c001", "base")] = new(reference, null, null),
        [("c001", "head")] = new(head, null, null),
    });

    /// <summary>Every launch says that it has no JIT, so that nothing but the IL is in question.</summary>
    private static FakeLauncher Launcher() => new() { Script = (_, _) => new FakeEnd(100, Evidence: """{"jit":{"methods":0}}""") };

    private async Task<(SampleSet Samples, Comparison Comparison)> MeasuredAsync(FakeLauncher launcher, ArmBuilds builds)
    {
        var plan = Plan(sameIl: true);
        using StringWriter output = new(), error = new();
        using var session = SessionFolder.Open(Path.Combine(_folder.FullName, "session"));
        await new MeasureStep(Open(output, error), launcher).RunAsync(plan, builds, session, TestContext.Current.CancellationToken);
        return CompareStep.Run(session.Samples, plan);
    }

    private Flow.Lab Open(StringWriter output, StringWriter error) =>
        Flow.Lab.Open(new() { Out = output, Error = error, Root = _folder.FullName, WorkingFolder = _folder.FullName });

    private Build Published(string runtime, string code)
    {
        var folder = Directory.CreateDirectory(Path.Combine(_folder.FullName, $"{runtime} {code}")).FullName;
        File.WriteAllText(Path.Combine(folder, "App.dll"), code);
        File.WriteAllText(Path.Combine(folder, "System.Runtime.dll"), runtime);
        File.WriteAllText(Path.Combine(folder, "App.deps.json"), $$"""
            {
              "runtimeTarget": { "name": "t" },
              "targets": { "t": { "App/1.0.0": { "runtime": { "App.dll": {} } }, "runtimepack.R/{{runtime}}": { "runtime": { "System.Runtime.dll": {} } } } },
              "libraries": { "App/1.0.0": { "type": "project" }, "runtimepack.R/{{runtime}}": { "type": "runtimepack" } }
            }
            """);
        return new Build(BuildIdentity.Of(folder), folder, NeedsShell: false);
    }
}
