using PerfLab.Core.Evidence;
using PerfLab.Core.Model;
using PerfLab.Profiling;

namespace PerfLab.Runner.Tests.Evidence.Traces;

public class BadTraceTests
{
    private static readonly byte[] Good = TraceFixtures.Read("10.0.14-1");

    [Fact]
    public void an_empty_file_is_called_empty() => Reading([]).Problem.ShouldNotBeNull().ShouldStartWith("the trace is empty");

    [Theory]
    [InlineData("{\"schema\":\"perf-lab/result/1\"}")]
    [InlineData("PK\u0003\u0004 a zip")]
    [InlineData("Nettrace and then something else altogether")]
    [InlineData("Nettrace\0\0\0\0\u0006\0\0\0\0\0\0\0")]
    public void a_foreign_file_is_called_foreign_and_why(string text)
    {
        var reading = Reading(System.Text.Encoding.Latin1.GetBytes(text));
        reading.Problem.ShouldNotBeNullOrEmpty();
        reading.Events.ShouldBe(0);
    }

    [Fact]
    public void wherever_a_trace_is_cut_it_is_not_whole_and_what_came_before_counts()
    {
        var whole = Facts(Good).Jit.Total.Count;
        var seen = 0;
        for (var length = 1; length < Good.Length; length += 997)
        {
            var (facts, reading) = RuntimeTrace.Read(Good[..length]);
            reading.Doubt.ShouldNotBeNullOrEmpty($"cut at {length}");
            facts.Jit.Total.Count.ShouldBeInRange(seen, whole, $"cut at {length}");
            seen = facts.Jit.Total.Count;
        }

        seen.ShouldBeGreaterThan(whole / 2);
    }

    [Fact]
    public void whatever_single_byte_is_wrong_the_reader_comes_to_an_end()
    {
        var random = new SeededRandom(5);
        for (var trial = 0; trial < (Nightly.IsAsked ? 500 : 100); trial++)
        {
            var bytes = (byte[])Good.Clone();
            // Half of the damage hits the head of the file and the heads of its first blocks, where the lengths are.
            var at = random.Next(trial % 2 == 0 ? 4_096 : bytes.Length);
            bytes[at] ^= (byte)(1 + random.Next(255));
            Should.NotThrow(() => Reading(bytes), $"byte {at}");
        }
    }

    [Fact]
    public void a_gigabyte_of_nothing_is_refused_at_once_and_costs_no_memory()
    {
        using var sparse = new SparseFile(1L << 30, "");
        var (_, reading) = RuntimeTrace.Read(sparse.Stream);
        reading.Problem.ShouldNotBeNullOrEmpty();
    }

    [Fact]
    public void a_gigabyte_behind_a_good_beginning_is_not_read()
    {
        using var sparse = new SparseFile(1L << 30, Good[..(Good.Length - 1)]);
        var (facts, reading) = RuntimeTrace.Read(sparse.Stream);
        reading.Problem.ShouldNotBeNullOrEmpty();
        facts.Jit.Total.Count.ShouldBeGreaterThan(Facts(Good).Jit.Total.Count / 2);
    }

    [Fact]
    public void a_block_that_claims_a_gigabyte_is_not_believed()
    {
        var bytes = (byte[])Good.Clone();
        var name = bytes.AsSpan().IndexOf("MetadataBlock"u8);
        BitConverter.TryWriteBytes(bytes.AsSpan(name + "MetadataBlock".Length + 1), 1 << 30).ShouldBeTrue();
        var reading = Reading(bytes);
        reading.Problem.ShouldNotBeNullOrEmpty();
    }

    [Fact]
    public void lost_events_are_counted_and_said()
    {
        var reading = Reading(TraceFixtures.Read("lost"));
        reading.Problem.ShouldBeNull();
        reading.EventsLost.ShouldBeGreaterThan(0);
        reading.Doubt.ShouldNotBeNull().ShouldContain($"{reading.EventsLost} events away");
    }

    [Fact]
    public void a_whole_trace_leaves_no_doubt() => Reading(Good).Doubt.ShouldBeNull();

    private static TraceReading Reading(byte[] bytes) => RuntimeTrace.Read(bytes).Reading;

    private static RuntimeTraceFacts Facts(byte[] bytes) => RuntimeTrace.Read(bytes).Facts;

    /// <summary>A file with a beginning and a length, and holes for the rest.</summary>
    private sealed class SparseFile : IDisposable
    {
        private readonly string _path = Path.GetTempFileName();

        public SparseFile(long length, string beginning) : this(length, System.Text.Encoding.ASCII.GetBytes(beginning))
        {
        }

        public SparseFile(long length, byte[] beginning)
        {
            Stream = new FileStream(_path, FileMode.Open, FileAccess.ReadWrite);
            Stream.Write(beginning);
            Stream.SetLength(length);
            Stream.Position = 0;
        }

        public FileStream Stream { get; }

        public void Dispose()
        {
            Stream.Dispose();
            File.Delete(_path);
        }
    }
}
