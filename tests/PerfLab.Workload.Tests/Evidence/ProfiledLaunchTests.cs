using PerfLab.Building;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Profiles;
using PerfLab.Launching;
using PerfLab.Launching.Processes;
using PerfLab.Launching.Proof;
using PerfLab.Profiling;
using PerfLab.Runner.Afterwards;

namespace PerfLab.Workload.Tests.Evidence;

/// <summary>A program whose culprit is known, launched with its runtime traced: the profile shows it where it is, for one unit of work.</summary>
public class ProfiledLaunchTests(Lab lab)
{
    // Explained by ExplainStepTests
    [Theory]
    [NightlyData("processor", ProfileKind.Processor)]
    [InlineData("allocation", ProfileKind.Allocation)]
    [NightlyData("contention", ProfileKind.Contention)]
    [InlineData("exceptions", ProfileKind.Exceptions)]
    public async Task the_culprit_has_most_of_what_was_injected(string effect, ProfileKind kind)
    {
        var profile = await ProfileAsync(("effect", effect), ("amount", "0.5"));

        // Of the program's own methods: where a thread lets itself be stopped, the kit's meter between two pieces may get some of their time.
        var own = profile.Of(kind).Where(stack => stack.Frames[^1].StartsWith("Pipeline.", StringComparison.Ordinal))
            .GroupBy(stack => stack.Frames[^1].Split('(')[0], StringComparer.Ordinal)
            .ToDictionary(method => method.Key, method => method.Sum(stack => stack.Weight), StringComparer.Ordinal);
        var culprit = own.Where(method => method.Key is "Pipeline.Render" or "Pipeline.Extra" or "Pipeline.Throw").Sum(method => method.Value);
        culprit.ShouldBeGreaterThan(0.4 * own.Values.Sum(), string.Join(", ", own.Select(method => $"{method.Key} {method.Value}")));
    }

    [Fact]
    public async Task the_time_of_all_methods_is_about_what_the_launch_took_and_frames_begin_with_main()
    {
        var profile = await ProfileAsync(("effect", "processor"));

        // One thread that always works: a share of the window that no interruption of a shared machine takes away whole.
        var total = profile.Of(ProfileKind.Processor).Sum(stack => stack.Weight);
        profile.Figures[ProfileFigure.ManagedTime].ShouldBe(total, 1e-9);
        total.ShouldBeGreaterThan(0.2);
        profile.Of(ProfileKind.Processor).Count(stack => stack.Frames[0].Contains("Program", StringComparison.Ordinal)
            && stack.Frames[^1].Contains("Pipeline.", StringComparison.Ordinal)).ShouldBeGreaterThan(0);
        profile.Of(ProfileKind.Contention).ShouldBeEmpty();
        profile.Figures[ProfileFigure.Exceptions].ShouldBe(0);
        // It allocates nothing: to look at threads the sampler stops them, too, and that is no collection.
        profile.Figures.GetValueOrDefault(ProfileFigure.CollectionPause).ShouldBe(0);
    }

    [Fact]
    public async Task neither_the_warm_up_nor_a_thread_that_sleeps_is_work()
    {
        // The kit warms up in Meter.Repeat and measures in Meter.Times. The rival for the lock wakes up each millisecond, and where the
        // machine is busy it waits for a processor then, which no sample tells from work: the sleeper never wakes up.
        var profile = await ProfileAsync(("effect", "contention"), ("amount", "0.1"));

        var total = profile.Of(ProfileKind.Processor).Sum(stack => stack.Weight);
        TimeUnder("Meter.Times").ShouldBeGreaterThan(0.5 * total);
        TimeUnder("Meter.Repeat").ShouldBeLessThan(0.2 * total);
        TimeUnder("Sleeper").ShouldBeLessThan(0.1 * total);

        double TimeUnder(string method) => profile.Of(ProfileKind.Processor)
            .Where(stack => stack.Frames.Any(frame => frame.Contains(method, StringComparison.Ordinal))).Sum(stack => stack.Weight);
    }

    [Fact]
    public async Task a_launch_that_is_over_before_the_sampler_looks_is_a_profile_of_little_or_a_problem_and_never_thrown()
    {
        var (profile, problem) = await ReadAsync(TraceVariables.Profile, ("work", "1"));

        (profile is null).ShouldBe(problem is not null);
        profile?.Of(ProfileKind.Processor).Count.ShouldBeLessThan(200);
    }

    [Fact]
    public async Task without_symbols_the_time_is_there_and_every_method_is_told_as_one_without_a_name()
    {
        // Only the sampler: no loader event, no JIT event and no rundown says what an address is.
        var (profile, problem) = await ReadAsync("Microsoft-DotNETCore-SampleProfiler:0xF00000000000:5", ("work", "500"));

        var stacks = profile.ShouldNotBeNull(problem).Of(ProfileKind.Processor);
        stacks.Sum(stack => stack.Weight).ShouldBeGreaterThan(0.1);
        stacks.SelectMany(stack => stack.Frames).ShouldAllBe(frame => MethodName.IsMissing(frame));
    }

    [Fact]
    public async Task a_trace_that_was_cut_is_a_problem_although_its_first_half_has_samples()
    {
        var (plan, builds) = await RealCells.PlanAsync(lab, Lab.Fixture("culprits"), "net10.0", ("work", "500"));
        await using var launcher = AlteredLaunches.Traces(ProcessLauncher.Create(), trace => trace.SetLength(trace.Length / 2));

        var (profile, problem) = await LaunchAsync(plan, builds, launcher);

        profile.ShouldBeNull();
        problem.ShouldNotBeNull().ShouldStartWith("the trace stops in the middle, or is damaged: ");
    }

    [Fact]
    public async Task a_trace_of_two_gigabytes_is_not_read_and_the_way_out_is_said()
    {
        var (plan, builds) = await RealCells.PlanAsync(lab, Lab.Fixture("culprits"), "net10.0", ("work", "1"));
        // A hole at its end: it takes no room.
        await using var launcher = AlteredLaunches.Traces(ProcessLauncher.Create(), trace => trace.SetLength(2L << 30));

        var (profile, problem) = await LaunchAsync(plan, builds, launcher);

        profile.ShouldBeNull();
        problem.ShouldBe("the trace has 2048 MiB, at most 256 are read: shorten `measure` in workload.yaml");
    }

    private async Task<ProfileReading> ReadAsync(string providers, params (string Dimension, string Value)[] values)
    {
        var (plan, builds) = await RealCells.PlanAsync(lab, Lab.Fixture("culprits"), "net10.0", [.. values]);
        await using var launcher = ProcessLauncher.Create();
        await launcher.PrepareAsync([.. builds.Builds], TestContext.Current.CancellationToken);
        var launch = await new TracedLaunches(new LaunchSpecs("test", builds, cpus: null), launcher)
            .LaunchAsync(plan.Cells.Single(), plan.Cells.Single().Arms.Single(), providers, TestContext.Current.CancellationToken);
        return await TraceProfile.ReadAsync(launch.Traces.ShouldHaveSingleItem(), new(1, 1), TestContext.Current.CancellationToken);
    }

    private async Task<LaunchProfile> ProfileAsync(params (string Dimension, string Value)[] values)
    {
        var (plan, builds) = await RealCells.PlanAsync(lab, Lab.Fixture("culprits"), "net10.0", [("work", "500"), .. values]);
        await using var launcher = ProcessLauncher.Create();

        var (profile, problem) = await LaunchAsync(plan, builds, launcher);

        return profile.ShouldNotBeNull(problem);
    }

    private static async Task<ProfileReading> LaunchAsync(RunPlan plan, ArmBuilds builds, ILauncher launcher)
    {
        await launcher.PrepareAsync([.. builds.Builds], TestContext.Current.CancellationToken);
        var specs = new LaunchSpecs("test", builds, cpus: null);
        var launches = new ProfiledLaunches(new TracedLaunches(specs, launcher), new PilotLaunches(specs, launcher));
        var cell = plan.Cells.Single();
        return await launches.LaunchAsync(cell, cell.Arms.Single(), pad: 100, TestContext.Current.CancellationToken);
    }
}
