using PerfLab.Core.Model;
using PerfLab.Programs;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Tests.Execution;

public sealed class ProgressLineTests
{
    [Fact]
    public void progress_says_what_is_measured_how_noisy_it_is_and_how_long_it_takes()
    {
        using StringWriter output = new(), error = new();
        var terminal = new Terminal { Out = output, Error = error, Root = "/", WorkingFolder = "/" };
        new ProgressLine(terminal).Report(new("confirm round 4 of 13, json (c001)", 7, 20, 70) { Noise = 0.0213 });
        error.ToString().ShouldBe($"measuring: confirm round 4 of 13, json (c001), 7 launches done, noise 2.1 % so far, about 70 s left{Environment.NewLine}");
        error.GetStringBuilder().Clear();
        new ProgressLine(terminal).Report(new("screen round 1 of 8, json (c001)", 0, 20, null));
        error.ToString().ShouldBe($"measuring: screen round 1 of 8, json (c001), 0 launches done{Environment.NewLine}");
    }

    [Theory]
    [InlineData(200, "measuring: confirm round 6 of 20, My.Benchmarks.Long.Name.Of.A.Benchmark(with: parameters), 23 launches done, noise 1.6 % so far, about 4 min left")]
    [InlineData(120, "measuring: confirm round 6 of 20, My.Benchmarks.Long.Name.Of.A…, 23 launches done, noise 1.6 % so far, about 4 min left")]
    [InlineData(80, "measuring: confirm rou…, 23 launches done, noise 1.6 % so far, about 4 min left")]
    [InlineData(40, "measuring: , 23 launches done, noise 1.")]
    [InlineData(0, "")]
    public void on_a_terminal_it_never_reaches_the_edge(int width, string expected)
    {
        using StringWriter error = new();
        var terminal = new Terminal { Out = TextWriter.Null, Error = error, Root = "/", WorkingFolder = "/", IsErrorInteractive = true, ErrorWidth = () => width };
        new ProgressLine(terminal).Report(new("confirm round 6 of 20, My.Benchmarks.Long.Name.Of.A.Benchmark(with: parameters)", 23, 20, 240) { Noise = 0.016 });
        error.ToString().ShouldBe("\r\u001b[K" + expected);
    }

    [Fact]
    public async Task the_noise_of_a_cell_is_that_of_its_own_stage_and_known_from_three_rounds_on()
    {
        using var session = new SessionFixture((0, 13));
        var samples = await session.RunAsync(TestContext.Current.CancellationToken);
        using var journal = new JournalWriter(new MemoryStream(), () => { });
        var record = SessionRecord.Start(journal, samples.Header);
        foreach (var (index, launch) in samples.Launches.Index())
        {
            (record.NoiseSoFar("c001", Stage.Confirm) is null).ShouldBe(index < 6);
            record.Add(launch);
        }

        record.NoiseSoFar("c001", Stage.Confirm)!.Value.ShouldBeInRange(0, 1);
        record.NoiseSoFar("c001", Stage.Screen).ShouldBeNull();
    }
}
