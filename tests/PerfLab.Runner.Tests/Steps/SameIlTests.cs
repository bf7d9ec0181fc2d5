using PerfLab.Core.Planning;
using PerfLab.Core.Requests;
using PerfLab.Core.Workloads;
using PerfLab.Runner.Building;
using PerfLab.Runner.Execution;
using PerfLab.Runner.Steps;

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
        Modes = [new("steady", [new("time", "s", Core.Measurements.Better.Lower, Primary: true)])],
        Launch = new(0, 1, 60),
        Resources = new(2, 1L << 30, 64),
    };

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void arms_with_one_il_are_launched_and_the_journal_gets_its_name()
    {
        var held = Hold(Plan(sameIl: true), Published("8.0.33", "code"), Published("10.0.14", "code"));
        held.Results.Values.ShouldAllBe(result => result.Failure == null);
        var arms = held.ToCells(Plan(sameIl: true)).Single().Arms;
        arms[0].Il.ShouldNotBeNull().ShouldBe(arms[1].Il);
        arms[0].Build.ShouldNotBe(arms[1].Build);
    }

    [Fact]
    public void an_arm_with_another_il_is_not_launched_and_the_difference_is_named()
    {
        var held = Hold(Plan(sameIl: true), Published("8.0.33", "code"), Published("10.0.14", "other code"));
        held["c001", "base"].Failure.ShouldBeNull();
        held["c001", "head"].Failure.ShouldBe("--same-il was asked for, but App.dll is not the same as in arm 'base': more than the runtime would differ.");
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
            Seed = 7,
        },
        new([Program], (text, _) => (new(text, text, text[3..] + ".14", null), null))).Plan!;

    private static ArmBuilds Hold(RunPlan plan, Build reference, Build head) => SameIl.Hold(plan, new(new Dictionary<(string Cell, string Arm), BuildResult>
    {
        [("c001", "base")] = new(reference, null, null),
        [("c001", "head")] = new(head, null, null),
    }));

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
