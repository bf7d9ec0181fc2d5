using System.Collections;
using System.Text.Json.Nodes;
using PerfLab.WorkloadKit;

namespace PerfLab.Workload.Tests.Kit;

/// <summary>
/// Windows lose nothing, and what they say per unit of work is about the work. Alone: what is allocated is counted over the whole process,
/// so another test beside it would be in the figure.
/// </summary>
[CollectionDefinition(nameof(WindowsTests), DisableParallelization = true)]
[Collection(nameof(WindowsTests))]
public sealed class WindowsTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("perf-lab-windows-");

    private string ResultPath => Path.Combine(_folder.FullName, "result.json");

    [Theory]
    [InlineData("0.02")] // less than a window
    [InlineData("0.13")] // a window, and less than half of one
    [InlineData("0.28")] // two windows, and more than half of one
    public void repeated_work_is_all_in_windows_and_measuring_begins_where_the_warm_up_ended(string time)
    {
        var (done, warm) = (0L, 0L);
        var launch = Launching(time);
        var windows = launch.Repeat(() => Piece(ref done), warmedUp: () => warm = done);
        ShouldHoldAll(launch, windows, warm, done - warm);
    }

    [Theory]
    [InlineData("0.02")]
    [InlineData("0.13")]
    [InlineData("0.28")]
    public void watched_work_is_all_in_windows_and_the_warm_up_is_as_long_as_it_was_asked_to_be(string time)
    {
        var (looks, warm) = (0L, 0L);
        var launch = Launching(time);
        var windows = launch.Watch(() => 10 * ++looks, warmedUp: () => warm = looks);

        // What the first look of each stretch saw was done before it.
        ShouldHoldAll(launch, windows, 10 * (warm - 1), 10 * (looks - warm - 1));
        windows.Seconds.ShouldBeGreaterThanOrEqualTo(double.Parse(time) - 0.002); // a sleep is a whole number of milliseconds
    }

    [Fact]
    public void a_fixed_amount_of_work_is_all_in_windows()
    {
        var (done, warm) = (0L, 0L);
        var launch = Launching("0.13");
        var windows = launch.Time(() => Piece(ref done), pieces: 25, warmedUp: () => warm = done);
        windows.Count.ShouldBe(25);
        ShouldHoldAll(launch, windows, warm, 25);
    }

    [Fact]
    public void without_a_warm_up_measuring_begins_at_0()
    {
        var launch = Launching("0.13", warmUp: "0");
        var windows = launch.Watch(() => 1);
        launch.Report("throughput", windows.PerSecond, "op/s");
        launch.WriteResult();
        var series = Series();
        ((double)series["warmUpSeconds"]!).ShouldBe(0);
        series["rates"]!.AsArray().Count.ShouldBe(windows.Rates.Count);
    }

    [Theory]
    [InlineData(200, 200)]
    [InlineData(201, 101)]
    [InlineData(500, 167)]
    [InlineData(601, 151)]
    public void a_longer_launch_has_longer_windows_and_loses_no_time_no_work_and_no_method(int count, int joined)
    {
        double[] ends = [.. Enumerable.Range(1, count).Select(window => 0.1 * window)];
        var windows = new TimedWindows([.. ends.Select((_, window) => 10.0 + window)], ends, [.. ends.Select((_, window) => (long)window)]);
        var fewer = windows.Joined();
        fewer.Rates.Count.ShouldBe(joined);
        fewer.Ends[^1].ShouldBe(ends[^1]);
        fewer.Compiled.Sum().ShouldBe(windows.Compiled.Sum());
        Work(fewer.Rates, fewer.Ends).ShouldBe(Work(windows.Rates, ends), 1e-6);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 0)] // as a thousandth of a byte per unit it would fall when the work gets faster
    [InlineData(2399, 0)]
    [InlineData(2400, 24)]
    [InlineData(3000, 30)]
    public void less_than_one_object_per_unit_of_work_is_no_cost_of_the_work(long bytes, double perUnit)
    {
        var windows = new Windows(100, 1, new TimedWindows([100], [1], [0]), new RuntimeDelta { AllocatedBytes = bytes });
        windows.AllocatedBytesPerUnit.ShouldBe(perUnit);
        windows.PerUnit(bytes).ShouldBe(perUnit);
    }

    [Fact]
    public void the_smallest_object_of_the_runtime_is_counted()
    {
        // The least of three: whatever else the process does meanwhile can only add to it.
        Enumerable.Range(0, 3).Min(_ => PerUnit()).ShouldBe(24, 0.5);

        double PerUnit()
        {
            var objects = new object[1_000_000];
            var next = 0;
            return Launching("0").Time(() =>
            {
                objects[next++] = new object();
                return 1;
            }, objects.Length).AllocatedBytesPerUnit;
        }
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private static long Piece(ref long done)
    {
        Thread.Sleep(9);
        done++;
        return 1;
    }

    private static double Work(IEnumerable<double> rates, IReadOnlyList<double> ends) =>
        rates.Select((rate, window) => rate * (ends[window] - (window == 0 ? 0 : ends[window - 1]))).Sum();

    private Launch Launching(string time, string? warmUp = null) => Launch.From([], new Hashtable
    {
        ["PERF_LAB_RESULT"] = ResultPath,
        ["PERF_LAB_WARM_UP"] = warmUp ?? time,
        ["PERF_LAB_WARM_UP_BOUND"] = warmUp ?? time,
        ["PERF_LAB_MEASURE"] = time,
    });

    private JsonNode Series() => JsonNode.Parse(File.ReadAllText(ResultPath))!["evidence"]!["windows"]!;

    private void ShouldHoldAll(Launch launch, Windows windows, long warm, long measured)
    {
        windows.Count.ShouldBe(measured);
        launch.Report("throughput", windows.PerSecond, "op/s");
        launch.WriteResult();
        double[] rates = [.. Series()["rates"]!.AsArray().Select(rate => (double)rate!)];
        double[] ends = [.. Series()["ends"]!.AsArray().Select(end => (double)end!)];
        var began = (double)Series()["warmUpSeconds"]!;
        var warmWindows = ends.Count(end => end <= began);
        warmWindows.ShouldBe(rates.Length - windows.Rates.Count);
        ends[warmWindows - 1].ShouldBe(began);

        // The result has six digits of each figure.
        Work(rates.Take(warmWindows), ends).ShouldBe(warm, 0.01);
        Work(rates, ends).ShouldBe(warm + measured, 0.01);
    }
}
