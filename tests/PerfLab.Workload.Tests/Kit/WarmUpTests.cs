using System.Collections;
using System.Reflection.Emit;
using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.WorkloadKit;
using Launch = PerfLab.WorkloadKit.Launch;

namespace PerfLab.Workload.Tests.Kit;

/// <summary>
/// The kit's warm-up on real clocks and a real JIT, in this process. Alone: whatever another test compiles meanwhile would be seen here.
/// </summary>
[CollectionDefinition(nameof(WarmUpTests), DisableParallelization = true)]
[Collection(nameof(WarmUpTests))]
public sealed class WarmUpTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("perf-lab-warm-up-");
    private int _compiled;

    private string ResultPath => Path.Combine(_folder.FullName, "result.json");

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void a_program_at_rest_is_measured_before_its_bound(bool watches)
    {
        var launch = Launching("0.2", "20");
        _ = watches ? launch.Watch(() => Environment.TickCount64) : launch.Repeat(Piece);
        var rest = Rest(launch).ShouldNotBeNull();
        (rest.AtRest, rest.Least, rest.Bound).ShouldBe((true, 0.2, 20));
        rest.Seconds.ShouldBeInRange(QuietTime.Usual, 20);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void a_program_that_compiles_for_ever_is_measured_at_its_bound(bool watches)
    {
        var launch = Launching("0.2", "1.5");
        _ = watches ? launch.Watch(Compiling) : launch.Repeat(Compiling);
        var rest = Rest(launch).ShouldNotBeNull();
        (rest.AtRest, rest.Why).ShouldBe((false, Restlessness.Compiling));
        rest.Seconds.ShouldBeGreaterThanOrEqualTo(1.49);
    }

    [Fact]
    public void a_piece_of_work_that_is_longer_than_the_bound_is_done_once()
    {
        var pieces = 0;
        var launch = Launching("0.1", "0.2");
        launch.Repeat(() =>
        {
            pieces++;
            Thread.Sleep(300);
            return 1;
        });
        pieces.ShouldBe(2); // one to warm up, one that is measured
        Rest(launch).ShouldNotBeNull().Seconds.ShouldBeGreaterThan(0.25);
    }

    [Fact]
    public void without_a_least_time_nothing_is_warmed_up_and_nothing_is_said()
    {
        var launch = Launching("0", "0");
        launch.Repeat(Piece);
        Rest(launch).ShouldBeNull();
    }

    [Fact]
    public void a_bound_that_is_shorter_than_the_least_time_is_refused() =>
        Should.Throw<RefusedException>(() => Launching("2", "1.5")).Message.ShouldBe(
            "PERF_LAB_WARM_UP_BOUND is 1.5 s, which is shorter than the 2 s that PERF_LAB_WARM_UP asks for at least.");

    [Theory]
    [InlineData(null, 12)] // 10 s after the least 2 s
    [InlineData("3E8", 29)] // a second, as on one core
    public void a_person_who_says_no_bound_waits_nine_quiet_times_at_most(string? delay, double bound) =>
        Launch.From([], new Hashtable
        {
            ["PERF_LAB_WARM_UP"] = "2",
            ["DOTNET_TC_CallCountingDelayMs"] = delay,
            ["DOTNET_TC_DelaySingleProcMultiplier"] = "1",
        }).WarmUpBound.ShouldBe(TimeSpan.FromSeconds(bound));

    [Fact]
    public void the_result_says_how_long_nothing_was_to_be_compiled()
    {
        var launch = Launching("0.1", "0.2", ("DOTNET_TC_CallCountingDelayMs", "1388"), ("DOTNET_TC_DelaySingleProcMultiplier", "1"));
        launch.Repeat(Piece);
        launch.WriteResult();
        JsonNode.Parse(File.ReadAllText(ResultPath))!["evidence"]!["rest"]!["quiet"]!.GetValue<double>().ShouldBe(10.9);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private static long Piece()
    {
        Thread.Sleep(5);
        return 1;
    }

    private long Compiling()
    {
        var method = new DynamicMethod("m" + _compiled++, typeof(int), null);
        var code = method.GetILGenerator();
        code.Emit(OpCodes.Ldc_I4_7);
        code.Emit(OpCodes.Ret);
        _ = method.CreateDelegate<Func<int>>()();
        Thread.Sleep(5);
        return _compiled;
    }

    private Launch Launching(string least, string bound, params (string Name, string Value)[] variables)
    {
        var environment = new Hashtable
        {
            ["PERF_LAB_RESULT"] = ResultPath,
            ["PERF_LAB_WARM_UP"] = least,
            ["PERF_LAB_WARM_UP_BOUND"] = bound,
            ["PERF_LAB_MEASURE"] = "0.1",
        };
        foreach (var (name, value) in variables)
        {
            environment[name] = value;
        }

        return Launch.From([], environment);
    }

    private RestState? Rest(Launch launch)
    {
        launch.WriteResult();
        return RestState.From(JsonNode.Parse(File.ReadAllText(ResultPath))!["evidence"]!.AsObject());
    }
}
