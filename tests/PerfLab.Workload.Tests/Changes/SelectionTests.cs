using PerfLab.Building;
using PerfLab.Building.Tools;
using PerfLab.Core.Files;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Launching;
using PerfLab.Launching.Processes;
using PerfLab.Runner.Sessions;

namespace PerfLab.Workload.Tests.Changes;

/// <summary>Two states of a real project of BenchmarkDotNet, built and launched as the lab does it: which rows would be measured, and why.</summary>
public sealed class SelectionTests(Lab lab)
{
    private const string Source = """
        using BenchmarkDotNet.Attributes;
        namespace Two;
        public class Program { public static void Main() { } }
        public static class Work
        {
            static int Cold(int x) => x + 1;
            public static int Changed(int x) { for (var i = 0; i < 100; i++) { x = x * 31 + i; } return x > -5 ? x : Cold(x); }
            public static int Same(int x) { for (var i = 0; i < 100; i++) { x = x * 31 + i; } return x; }
        }
        [ShortRunJob] public class Bench { [Benchmark] public int A() => Work.Changed(1); [Benchmark] public int B() => Work.Same(1); }
        [SimpleJob(BenchmarkDotNet.Engines.RunStrategy.Monitoring)] public class Cold { [Benchmark] public int C() => Work.Same(1); }
        """;

    [Theory]
    [InlineData("net10.0")]
    [InlineData("net8.0")]
    public async Task a_row_is_measured_when_it_runs_what_changed_and_not_when_it_does_not(string runtime)
    {
        Nightly.Only("a minute");
        var changed = Source.Replace("x + 1", "x + 2"); // a callee that never runs, and may be inlined
        var (samples, _) = await SelectedAsync(runtime, Source, changed);

        samples.Differences.ShouldHaveSingleItem().Names.ShouldBe(["Work.Cold"]);
        Said(samples, "A").ShouldBe((false, "runs the changed method"));
        Said(samples, "B").ShouldBe((true, "the changed method does not run in it"));
        Said(samples, "C").ShouldBe((false, "measured all the same: base: it is measured from its start on, and compiling is part of that"));
        Comparer.Compare(samples, new(new Policy(), "defaults")).Cells.Where(row => row.Primary).Select(row => row.Verdict)
            .ShouldBe([Verdict.Failed, Verdict.Untouched, Verdict.Failed]); // nothing was measured here
    }

    [Fact]
    public async Task what_base_runs_is_kept_with_its_build()
    {
        Nightly.Only("35 seconds");
        var store = lab.NewFolder();
        var (_, first) = await SelectedAsync("net10.0", Source, Source.Replace("x + 1", "x + 3"), store);
        var (samples, second) = await SelectedAsync("net10.0", Source, Source.Replace("x + 1", "x + 4"), store);
        Said(samples, "A").Untouched.ShouldBeFalse();
        Said(samples, "B").Untouched.ShouldBeTrue();
        first.ShouldBe(4); // base of A, B and C, which proves nothing; head of B
        second.ShouldBe(2); // C again, and head of B, which is another build
    }

    /// <summary>What a list is made into, of which arm, and why its row is measured then.</summary>
    private static readonly (string Arm, Func<string, string> Tampered, string Why)[] Lies =
    [
        ("base", list => list[..^20], "measured all the same: base: its list of methods is cut"),
        ("head", list => list[..^20], "measured all the same: head: its list of methods is cut"),
        ("head", list => list[..list.LastIndexOf('\n', list.IndexOf("Program:Ended", StringComparison.Ordinal))] + "\n",
            "measured all the same: head: its list of methods ends before the benchmark did"),
        ("head", list => list + Line("Two.Work:Gone"),
            "measured all the same: head: its list names a method that its build does not have"),
        ("base", list => list + Line("Two.Work:Gone"),
            "measured all the same: base: its list names a method that its build does not have"),
        ("head", list => list + list, "measured all the same: head: two processes wrote into its list of methods"),
        ("head", list => list + Line("Two.Work:Cold"), "runs the changed method"),
        ("head", list => string.Join('\n',
                list.Split('\n').Where(line => !line.Contains("Two.Work:Same", StringComparison.Ordinal))),
            "the two arms did not run the same methods, although none of them changed"),
    ];

    private static string Line(string method) => $"9999: JIT compiled {method}(int) [Tier0, IL size=4, code size=9]\n";

    [Fact]
    public async Task a_list_that_is_cut_or_lies_leaves_its_row_measured()
    {
        Nightly.Only("a minute");
        var changed = Source.Replace("x + 1", "x + 5");
        var arms = new[] { await BuiltAsync("base", "net10.0", Source), await BuiltAsync("head", "net10.0", changed) };
        foreach (var (arm, tampered, why) in Lies)
        {
            var (samples, _) = await SelectedAsync(arms, null, (of, list) => of == arm ? tampered(list) : list);
            Said(samples, "A").Untouched.ShouldBeFalse(why);
            Said(samples, "B").ShouldBe((false, why));
        }
    }

    private static (bool Untouched, string Reason) Said(SampleSet samples, string method) =>
        samples.Touches.Single(touch => touch.Cell == method) is var touch ? (touch.Untouched, touch.Reason) : default;

    private async Task<(SampleSet Samples, int Launches)> SelectedAsync(string runtime, string old, string now, string? store = null) =>
        await SelectedAsync([await BuiltAsync("base", runtime, old), await BuiltAsync("head", runtime, now)], store);

    private static async Task<(SampleSet Samples, int Launches)> SelectedAsync(
        (string Id, RunPlan Plan, PlannedCell Cell, Build Build)[] arms, string? store, Func<string, string, string>? tamper = null)
    {
        List<PlannedCell> cells = [.. new[] { ("A", "Two.Bench.A"), ("B", "Two.Bench.B"), ("C", "Two.Cold.C") }.Select(one => arms[0].Cell with
        {
            Id = one.Item1,
            Parameters = new Dictionary<string, string> { [BenchmarkCases.Parameter] = one.Item2 },
            Arms = [.. arms.Select(arm => arm.Cell.Arms[0] with
            {
                Id = arm.Id,
                Dimensions = new Dictionary<string, string> { ["source"] = arm.Id },
                Environment = [.. arm.Cell.Arms[0].Environment.Where(pair => pair.Key != "PERF_LAB_PARAM_BENCHMARK"), new("PERF_LAB_PARAM_BENCHMARK", one.Item2)],
            })],
        })];
        var plan = arms[0].Plan with { Cells = cells, OnlyTouched = true };
        var builds = new ArmBuilds(cells.SelectMany(cell => arms.Select(arm => (cell.Id, arm.Id, arm.Build)))
            .ToDictionary(one => (one.Item1, one.Item2), one => new BuildResult(one.Build, null, null)));
        var header = new SessionHeader
        {
            Session = "test",
            Plan = "sha256:plan",
            Seed = 1,
            Started = DateTimeOffset.UnixEpoch,
            Executor = "process",
            Cells = builds.ToCells(plan),
        };
        var stream = new MemoryStream();
        await using var counted = new CountedLauncher(ProcessLauncher.Create())
        {
            Tamper = tamper is null ? null
                : (build, list) => tamper(arms.First(arm => arm.Build.Identity == build.Identity).Id, list),
        };
        using (var journal = new JournalWriter(stream, () => { }))
        {
            var record = SessionRecord.Start(journal, header);
            var setup = new SessionSetup { Plan = plan, Builds = builds, Header = header, Touches = store };
            await new Selection(setup, record, counted, new Progress<SessionProgress>()).RunAsync(CancellationToken.None);
        }

        var contents = JournalReader.Read(stream.ToArray());
        contents.Damage.ShouldBeNull();
        return (contents.Samples!, counted.Launches);
    }

    private async Task<(string Id, RunPlan Plan, PlannedCell Cell, Build Build)> BuiltAsync(string arm, string runtime, string source)
    {
        var folder = Path.Combine(lab.NewFolder(), "Two");
        Directory.CreateDirectory(folder);
        await File.WriteAllTextAsync(Path.Combine(folder, "Two.cs"), source);
        await File.WriteAllTextAsync(Path.Combine(folder, "Two.csproj"), """
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup><OutputType>Exe</OutputType><TargetFrameworks>net8.0;net10.0</TargetFrameworks><NuGetAudit>false</NuGetAudit><CheckEolTargetFramework>false</CheckEolTargetFramework></PropertyGroup>
              <ItemGroup><PackageReference Include="BenchmarkDotNet" Version="0.14.0" /></ItemGroup>
            </Project>
            """);
        var problems = new List<Problem>();
        var workload = await BenchmarkProject.ReadAsync(Path.Combine(folder, "Two.csproj"), new DotnetCli(), problems, CancellationToken.None);
        problems.ShouldBeEmpty();
        var plan = Planner.Plan(
            new BenchmarkRequest { Targets = [], Arms = [new("head", new Dictionary<string, string>())], Rounds = (0, 1), Seed = 1 },
            new([workload! with { Parameters = [BenchmarkProject.Parameter(["Two.Bench.A"])] }], (asked, _) => (new(runtime, runtime, Lab.PatchOf(runtime), null), null))).Plan!;
        return (arm, plan, plan.Cells.Single(), (await lab.Builder.BuildAsync(plan.Cells.Single().Arms[0].Recipe, CancellationToken.None)).Build.ShouldNotBeNull());
    }

    /// <summary>How often something was launched.</summary>
    private sealed class CountedLauncher(ILauncher launcher) : ILauncher
    {
        public int Launches { get; private set; }

        /// <summary>What stands in place of the list that a launch left.</summary>
        public Func<Build, string, string>? Tamper { get; init; }

        public string Executor => launcher.Executor;

        public IReadOnlyList<string> Warnings => launcher.Warnings;

        public Task<System.Text.Json.Nodes.JsonObject> DescribeAsync(CancellationToken cancellationToken) => launcher.DescribeAsync(cancellationToken);

        public Task PrepareAsync(IReadOnlyCollection<Build> builds, CancellationToken cancellationToken) => launcher.PrepareAsync(builds, cancellationToken);

        public async Task<LaunchEnd> LaunchAsync(LaunchSpec launch, CancellationToken cancellationToken)
        {
            Launches++;
            var end = await launcher.LaunchAsync(launch, cancellationToken);
            var list = Path.Combine(Path.GetDirectoryName(end.ResultFile)!, "jit.txt");
            if (Tamper is not null && File.Exists(list))
            {
                var text = await File.ReadAllTextAsync(list, cancellationToken);
                await File.WriteAllTextAsync(list, Tamper(launch.Build, text), cancellationToken);
            }

            return end;
        }

        public Task<bool> WaitUntilReadyAsync(TimeSpan patience, CancellationToken cancellationToken) => launcher.WaitUntilReadyAsync(patience, cancellationToken);

        public ValueTask DisposeAsync() => launcher.DisposeAsync();
    }
}
