using PerfLab.Profiling;

namespace PerfLab.Runner.Tests.Evidence.Traces;

/// <summary>What a launch left may be anything: a named problem, never an exception, and nothing left behind.</summary>
public sealed class TraceProfileTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("trace-profile-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task a_trace_that_is_not_there_or_empty_says_so()
    {
        (await ReadAsync([])).ShouldStartWith("the trace is empty");
        (await TraceProfile.ReadAsync(Path.Combine(_folder.FullName, "none"), new(1, 1), TestContext.Current.CancellationToken)).Problem.ShouldNotBeNull().ShouldStartWith("the trace is empty");
    }

    [Fact]
    public async Task a_trace_of_two_gigabytes_is_not_read_and_the_way_out_is_said()
    {
        var path = Path.Combine(_folder.FullName, "large.nettrace");
        await using (var file = File.Create(path))
        {
            file.SetLength(2L << 30); // a hole: it takes no room
        }

        (await TraceProfile.ReadAsync(path, new(1, 1), CancellationToken.None)).Problem
            .ShouldBe("the trace has 2048 MiB, at most 256 are read: shorten `measure` in workload.yaml");
    }

    [Fact]
    public async Task a_trace_of_a_later_version_is_a_problem_and_never_thrown() =>
        (await ReadAsync([.. "Nettrace"u8, 0, 0, 0, 0, 99, 0, 0, 0, 0, 0, 0, 0, .. new byte[64]])).ShouldStartWith("the tra");

    [Fact]
    public async Task something_else_is_no_trace() => (await ReadAsync("hello, I am a picture"u8.ToArray())).ShouldStartWith("the trace can't be read: ");

    [Fact]
    public async Task a_trace_without_samples_says_what_is_missing() => (await ReadAsync(TraceFixtures.Read("10.0.14-1"))).ShouldStartWith("the trace has no samples of threads");

    [Fact]
    public async Task a_trace_that_is_cut_or_flipped_anywhere_is_a_problem_or_read_and_never_thrown()
    {
        var whole = TraceFixtures.Read("10.0.14-1");
        var times = Nightly.IsAsked ? 12 : 4;
        for (var cut = 0; cut < times; cut++)
        {
            (await ReadAsync(whole[..(whole.Length * cut / times)])).ShouldNotBeNull();
        }

        var random = new Random(7);
        for (var flip = 0; flip < times; flip++)
        {
            var damaged = whole.ToArray();
            damaged[random.Next(damaged.Length)] ^= 0x55;
            (await ReadAsync(damaged)).ShouldNotBeNull();
        }
    }

    [Theory]
    [InlineData(3, 10, 3)]
    [InlineData(5, 2, 2)] // never more than there is
    public void the_measured_part_is_the_end_of_the_launch(double measured, double trace, double window) =>
        new MeasuredPart(0.5, measured).Window(trace).ShouldBe(window);

    private async Task<string> ReadAsync(byte[] bytes)
    {
        var path = Path.Combine(_folder.FullName, "trace.nettrace");
        await File.WriteAllBytesAsync(path, bytes);
        var (profile, problem) = await TraceProfile.ReadAsync(path, new(1, 1), TestContext.Current.CancellationToken);
        profile.ShouldBeNull();
        return problem.ShouldNotBeNull();
    }
}
