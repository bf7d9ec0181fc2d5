using System.Collections;
using System.Diagnostics;
using System.Globalization;
using System.Text.Json.Nodes;
using PerfLab.WorkloadKit;

namespace PerfLab.Workload.Tests.Kit;

/// <summary>A program in turns says what it did in each slice and stands still until it is told to go on; the test is the lab.</summary>
public sealed class TurnsTests : IDisposable
{
    private const int Slices = 6;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("perf-lab-turns-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task repeated_work_is_said_slice_by_slice_and_what_lies_between_is_in_none()
    {
        var (done, isTurn, outside) = (0L, false, 0L);
        var (launch, lab) = Launching();
        var said = lab.RunAsync(go: () => Volatile.Write(ref isTurn, true), said: () => Volatile.Write(ref isTurn, false));
        var warm = 0L;
        var windows = await Task.Run(() => launch.Repeat(
            () =>
            {
                Thread.Sleep(5);
                done++;
                outside += warm > 0 && !Volatile.Read(ref isTurn) ? 1 : 0;
                return 1;
            },
            () => warm = done));

        var lines = await said;
        lines[0].ShouldBe("warm");
        lines.Count.ShouldBe(1 + Slices);
        outside.ShouldBe(0);
        windows.Count.ShouldBe(done - warm);
        lines.Skip(1).Sum(Work).ShouldBe(windows.Count);
        lines.Skip(1).Sum(Seconds).ShouldBe(windows.Seconds, 1e-6);
        lines.Skip(1).ShouldAllBe(line => Seconds(line) >= 0.02);
        windows.Rates.Count.ShouldBe(Slices);
        (windows.Count / windows.PerSecond).ShouldBe(windows.Seconds, 1e-9);
    }

    [Theory]
    [InlineData(6)]
    [InlineData(25)]
    [InlineData(600)]
    public async Task a_fixed_amount_of_work_is_cut_into_slices_of_as_many_pieces(int pieces)
    {
        var (launch, lab) = Launching();
        var said = lab.RunAsync();
        // Units are not pieces: how many a piece has may be what changed.
        var windows = await Task.Run(() => launch.Time(() => 7, pieces));

        var work = (await said).Skip(1).Select(Work).ToList();
        work.Sum().ShouldBe(pieces);
        (work.Max() - work.Min()).ShouldBeLessThanOrEqualTo(1);
        windows.Count.ShouldBe(7 * pieces);
    }

    [Fact]
    public async Task watched_work_counts_in_its_turns_alone()
    {
        var (launch, lab) = Launching();
        var said = lab.RunAsync();
        var looks = 0L;
        var windows = await Task.Run(() => launch.Watch(() => 10 * ++looks));

        (await said).Skip(1).Select(Work).ShouldBe(Enumerable.Repeat(10L, Slices));
        windows.Count.ShouldBe(10 * Slices);
    }

    [Fact]
    public async Task a_slice_in_which_others_had_the_cores_lasts_until_something_is_done()
    {
        var (launch, lab) = Launching();
        var said = lab.RunAsync();
        // Something is done at every fifth look, and a slice looks twice.
        var looks = 0L;
        var windows = await Task.Run(() => launch.Watch(() => ++looks / 5));

        (await said).Skip(1).Select(Work).ShouldBe(Enumerable.Repeat(1L, Slices));
        windows.Count.ShouldBe(Slices);
    }

    [Fact]
    public async Task one_that_does_nothing_any_more_says_so_long_before_its_deadline()
    {
        var (launch, lab) = Launching();
        _ = lab.RunAsync();
        var looks = 0L;
        var refused = await Should.ThrowAsync<RefusedException>(Task.Run(() => launch.Watch(() => Math.Min(++looks, 5))));
        refused.Message.ShouldMatch(@"^nothing was done for 2[.,]\d s after a time in which it was frozen");
        lab.Dispose();
    }

    [Fact]
    public async Task the_result_has_the_slices_as_its_windows()
    {
        var (launch, lab) = Launching();
        var said = lab.RunAsync();
        var windows = await Task.Run(() => launch.Repeat(() => 1));
        launch.Report("throughput", windows.PerSecond, "op/s");
        launch.WriteResult();
        await said;

        var evidence = JsonNode.Parse(await File.ReadAllTextAsync(At("result.json"), TestContext.Current.CancellationToken))!["evidence"]!;
        var began = (double)evidence["windows"]!["warmUpSeconds"]!;
        evidence["windows"]!["ends"]!.AsArray().Count(end => (double)end! > began).ShouldBe(Slices);
        ((double)evidence["whileMeasuring"]!["processorSeconds"]!).ShouldBeGreaterThan(0);
    }

    [Fact]
    public void what_can_not_be_cut_says_so()
    {
        var (launch, lab) = Launching();
        using var _ = lab;
        Should.Throw<RefusedException>(() => launch.Once(() => 1)).Message.ShouldContain("can't be cut into slices");
    }

    [Fact]
    public async Task fewer_pieces_than_slices_are_refused()
    {
        var (launch, lab) = Launching();
        _ = lab.RunAsync();
        var refused = await Should.ThrowAsync<RefusedException>(Task.Run(() => launch.Time(() => 1, Slices - 1)));
        refused.Message.ShouldContain("a fixed amount of 5 pieces of work can't be cut into 6 slices");
        lab.Dispose();
    }

    [Theory]
    [InlineData("0", "0.02", "PERF_LAB_SLICES is '0'")]
    [InlineData("-3", "0.02", "PERF_LAB_SLICES is '-3'")]
    [InlineData("many", "0.02", "PERF_LAB_SLICES is 'many'")]
    [InlineData("6", "0", "PERF_LAB_SLICE has to say how long a slice is")]
    [InlineData("6", null, "PERF_LAB_SLICE has to say how long a slice is")]
    [InlineData("6", "0.02", "goes with PERF_LAB_TURN_SAY and PERF_LAB_TURN_GO")]
    public void settings_that_make_no_sense_are_refused(string slices, string? slice, string why) =>
        Should.Throw<RefusedException>(() => Launch.From([], new Hashtable { ["PERF_LAB_SLICES"] = slices, ["PERF_LAB_SLICE"] = slice }))
            .Message.ShouldContain(why);

    [Fact]
    public void pipes_that_are_not_there_are_refused() =>
        Should.Throw<RefusedException>(() => Launch.From([], Settings())).Message.ShouldContain("can't be opened");

    private static long Work(string line) => long.Parse(line.Split(' ')[1], CultureInfo.InvariantCulture);

    private static double Seconds(string line) => long.Parse(line.Split(' ')[2], CultureInfo.InvariantCulture) / 1e9;

    private string At(string name) => Path.Combine(_folder.FullName, name);

    private Hashtable Settings() => new()
    {
        ["PERF_LAB_RESULT"] = At("result.json"),
        ["PERF_LAB_WARM_UP"] = "0.05",
        ["PERF_LAB_WARM_UP_BOUND"] = "0.05",
        ["PERF_LAB_SLICES"] = $"{Slices}",
        ["PERF_LAB_SLICE"] = "0.02",
        ["PERF_LAB_TURN_SAY"] = At("say"),
        ["PERF_LAB_TURN_GO"] = At("go"),
    };

    private (Launch Launch, Other Lab) Launching()
    {
        using var made = Process.Start("mkfifo", [At("say"), At("go")])!;
        made.WaitForExit();
        var lab = new Other(At("say"), At("go"));
        return (Launch.From([], Settings()), lab);
    }

    /// <summary>The lab's side of the pipes.</summary>
    private sealed class Other(string say, string go) : IDisposable
    {
        private readonly FileStream _say = new(say, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite, 1);
        private readonly FileStream _go = new(go, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite, 1);

        /// <summary>All that was said, one go for each line.</summary>
        public Task<List<string>> RunAsync(Action? go = null, Action? said = null) => Task.Run(() =>
        {
            var lines = new List<string>();
            var line = "";
            while (lines.Count < 1 + Slices)
            {
                if (_say.ReadByte() is var next && next != '\n')
                {
                    line += (char)next;
                    continue;
                }

                said?.Invoke();
                lines.Add(line);
                line = "";
                Thread.Sleep(30); // others have their turn
                go?.Invoke();
                _go.WriteByte((byte)'\n');
            }

            return lines;
        });

        public void Dispose()
        {
            _say.Dispose();
            _go.Dispose();
        }
    }
}
