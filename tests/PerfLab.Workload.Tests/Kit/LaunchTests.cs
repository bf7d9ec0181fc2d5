using System.Collections;
using System.Reflection;
using System.Text.Json.Nodes;
using PerfLab.WorkloadKit;

namespace PerfLab.Workload.Tests.Kit;

public sealed class LaunchTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("perf-lab-kit-");

    private string ResultPath => Path.Combine(_folder.FullName, "result.json");

    [Fact]
    public void a_result_is_one_whole_file_with_the_nonce_whatever_it_holds()
    {
        var launch = From(("PERF_LAB_NONCE", "a\"b\\c\n\u2028é\ud800"));
        var windows = launch.Repeat(() => 3);
        launch.Report("throughput", windows.PerSecond, "op/s");
        launch.ReportWindows("throughput", windows.Rates);
        launch.WriteResult();

        Directory.GetFileSystemEntries(_folder.FullName).ShouldBe([ResultPath]);
        var bytes = File.ReadAllBytes(ResultPath);
        bytes.ShouldAllBe(value => value >= 32 && value < 127);
        var result = JsonNode.Parse(bytes)!;
        result.AsObject().Select(member => member.Key).ShouldBe(["schema", "nonce", "measuredSeconds", "metrics", "windows", "histograms", "evidence"]);
        System.Text.Encoding.ASCII.GetString(bytes).ShouldContain("\"nonce\":\"a\\\"b\\\\c\\u000a\\u2028\\u00e9\\ud800\"");
        ((double)result["metrics"]!["throughput"]!["value"]!).ShouldBe(windows.PerSecond);
    }

    [Fact]
    public void a_histogram_is_written_as_bucket_and_count()
    {
        var launch = From();
        var histogram = new LatencyHistogram();
        histogram.Record(1.2e-6);
        histogram.Record(1.2e-6);
        histogram.Record(1.201e-6);
        launch.ReportHistogram("latency", histogram);
        launch.WriteResult();
        JsonNode.Parse(File.ReadAllText(ResultPath))!["histograms"]!.ToJsonString().ShouldBe("""{"latency":{"unit":"s","digits":3,"counts":[[1200,2],[1201,1]]}}""");
    }

    [Fact]
    public void repeated_work_is_counted_piece_by_piece()
    {
        var calls = 0L;
        var windows = From(("PERF_LAB_WARM_UP", "0")).Repeat(() =>
        {
            calls++;
            return 5;
        });
        windows.Count.ShouldBe(5 * calls);
        windows.PerSecond.ShouldBe(windows.Count / windows.Seconds);
    }

    [Fact]
    public void a_window_that_was_slept_through_makes_the_next_longer_and_never_empty()
    {
        var (calls, done) = (0, 0L);
        var windows = From(("PERF_LAB_WARM_UP", "0"), ("PERF_LAB_MEASURE", "1")).Watch(() =>
        {
            if (++calls == 5)
            {
                Thread.Sleep(350); // as when a virtual machine is paused
            }

            return done += 10;
        });
        windows.Rates.Count.ShouldBeLessThanOrEqualTo(8);
        windows.Rates.ShouldAllBe(rate => rate > 0 && rate <= 10 / 0.04);
        windows.Count.ShouldBe(done - 10); // done before the first look
    }

    [Fact]
    public void a_fixed_amount_of_work_is_done_exactly()
    {
        var warm = true;
        var pieces = 0;
        var windows = From(("PERF_LAB_WARM_UP", "0.01")).Time(() => warm ? 1 : ++pieces > 0 ? 7 : 0, pieces: 1000, warmedUp: () => warm = false);
        pieces.ShouldBe(1000);
        windows.Count.ShouldBe(7000);
    }

    [Fact]
    public void watched_work_is_what_was_done_between_the_first_and_the_last_look()
    {
        var looks = 0L;
        var windows = From(("PERF_LAB_WARM_UP", "0"), ("PERF_LAB_MEASURE", "0.3")).Watch(() => 10 * ++looks);
        windows.Rates.Count.ShouldBeInRange(1, 3); // fewer where this machine paused
        windows.Count.ShouldBe(10 * windows.Rates.Count);
    }

    [Fact]
    public void the_windows_of_the_whole_launch_are_evidence_warm_up_first()
    {
        var looks = 0L;
        var launch = From(("PERF_LAB_WARM_UP", "0.2"), ("PERF_LAB_WARM_UP_BOUND", "0.2"), ("PERF_LAB_MEASURE", "0.3"));
        var windows = launch.Watch(() => 10 * ++looks);
        launch.WriteResult();
        var evidence = JsonNode.Parse(File.ReadAllText(ResultPath))!["evidence"]!.AsObject();
        var series = PerfLab.Core.Statistics.Steady.WindowSeries.From(evidence)!;
        var warmUp = series.Rates.Count - windows.Rates.Count;
        warmUp.ShouldBeInRange(1, 2);
        series.Compiled.Count.ShouldBe(series.Rates.Count);
        series.WarmUpSeconds.ShouldBe(series.Ends[warmUp - 1], 1e-5);
        (series.Ends[^1] - series.Ends[warmUp - 1]).ShouldBe(windows.Seconds, 1e-4);
        series.Rates[warmUp].ShouldBe(windows.Rates[0], 1e-4 * windows.Rates[0]);
    }

    [Theory]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    public void a_value_that_is_no_number_is_not_reported(double value) =>
        Should.Throw<WrongAnswerException>(() => From().Report("throughput", value, "op/s")).Message.ShouldContain("throughput");

    [Fact]
    public void a_mode_that_is_not_offered_is_refused_before_measuring() =>
        Should.Throw<RefusedException>(() => From(("PERF_LAB_MODE", "faithful")).Repeat(() => 1)).Message.ShouldContain("'faithful'");

    [Fact]
    public void a_person_sets_parameters_on_the_command_line()
    {
        var launch = Launch.From(["in-flight=7"], new Hashtable { ["PERF_LAB_PARAM_IN_FLIGHT"] = "9" });
        launch.Parameters.Integer("in-flight", 1, 1, 10).ShouldBe(7);
    }

    [Theory]
    [InlineData("PERF_LAB_PARAM_X", "1", 2)]
    [InlineData("PERF_LAB_MEASURE", "soon", 2)]
    [InlineData("PERF_LAB_MODE", "fast", 2)]
    public void wrong_settings_end_in_their_exit_code(string name, string value, int exitCode)
    {
        var before = Environment.GetEnvironmentVariable(name);
        Environment.SetEnvironmentVariable(name, value);
        try
        {
            WorkloadProgram.Run([], launch => { launch.Repeat(() => 1); }).ShouldBe(exitCode);
        }
        finally
        {
            Environment.SetEnvironmentVariable(name, before);
        }
    }

    [Fact]
    public void a_wrong_answer_ends_in_exit_code_1()
    {
        WorkloadProgram.Run([], Body).ShouldBe(1);

        static void Body(Launch launch) => throw new WrongAnswerException("2 + 2 is 5");
    }

    [Fact]
    public void an_asynchronous_body_does_not_compile()
    {
        var refused = typeof(WorkloadProgram).GetMethod(nameof(WorkloadProgram.Run), [typeof(string[]), typeof(Func<Launch, Task>)])!;

        refused.GetCustomAttribute<ObsoleteAttribute>()!.IsError.ShouldBeTrue("otherwise 'async launch => …' would be an async void, and the program would end before it measured");
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private Launch From(params (string Name, string Value)[] settings)
    {
        var environment = new Hashtable { ["PERF_LAB_RESULT"] = ResultPath, ["PERF_LAB_WARM_UP"] = "0.01", ["PERF_LAB_WARM_UP_BOUND"] = "0.01", ["PERF_LAB_MEASURE"] = "0.05" };
        foreach (var (name, value) in settings)
        {
            environment[name] = value;
        }

        return Launch.From([], environment);
    }
}
