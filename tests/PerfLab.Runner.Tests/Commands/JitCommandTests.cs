using System.Text.Json.Nodes;
using PerfLab.Runner.Tests.Evidence.Traces;
using PerfLab.Runner.Tests.Schemas;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>`jit --trace`: each kind of bad trace has its own outcome. Launches are in PerfLab.Workload.Tests.</summary>
public sealed class JitCommandTests : IDisposable
{
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task two_traces_stand_side_by_side()
    {
        Write("off.nettrace", TraceFixtures.Read("9.0.22-0"));
        Write("on.nettrace", TraceFixtures.Read("10.0.14-1"));
        var (code, output, error) = await _lab.RunAsync("jit --trace off.nettrace --trace on.nettrace");
        code.ShouldBe(0, error);
        output.ShouldContain("base count      %    ms");
        output.ShouldContain("ms head/base");
        output.ShouldContain("settings event flags 11 (QuickJit 1, QuickJitForLoops 1, TieredPGO 0, ReadyToRun 1)");
        output.ShouldContain("OptimizedTier1Instrumented");
    }

    [Fact]
    public async Task the_json_is_what_the_schema_says()
    {
        Write("on.nettrace", TraceFixtures.Read("8.0.33-1"));
        var (code, output, _) = await _lab.RunAsync("jit --trace on.nettrace --format json");
        code.ShouldBe(0);
        new JsonSchemaFile("jit").Mistakes(output).ShouldBeEmpty();
        JsonNode.Parse(output)!["cells"]![0]!["arms"]![0]!["total"]!["count"]!.GetValue<int>().ShouldBeGreaterThan(300);
    }

    [Fact]
    public async Task a_cut_trace_gives_what_came_before_and_a_doubt()
    {
        var whole = TraceFixtures.Read("10.0.14-1");
        Write("cut.nettrace", whole[..(whole.Length / 2)]);
        var (code, output, _) = await _lab.RunAsync("jit --trace cut.nettrace");
        code.ShouldBe(0);
        output.ShouldContain("doubt: the trace stops in the middle, or is damaged: ");
        output.ShouldContain("TOTAL");
    }

    [Fact]
    public async Task lost_events_are_a_doubt()
    {
        Write("lost.nettrace", TraceFixtures.Read("lost"));
        (await _lab.RunAsync("jit --trace lost.nettrace")).Out.ShouldContain("events away because its buffer was full");
    }

    [Fact]
    public async Task a_trace_that_is_cut_before_its_jit_events_blames_no_provider()
    {
        Write("cut.nettrace", TraceFixtures.Read("10.0.14-1")[..30_000]);
        var (code, output, _) = await _lab.RunAsync("jit --trace cut.nettrace");
        code.ShouldBe(0);
        output.ShouldContain("doubt: no JIT event came before that");
        output.ShouldNotContain("provider");
    }

    [Fact]
    public async Task a_trace_that_is_cut_before_its_first_event_is_an_error()
    {
        Write("cut.nettrace", TraceFixtures.Read("10.0.14-1")[..40]);
        var (code, output, error) = await _lab.RunAsync("jit --trace cut.nettrace");
        code.ShouldBe(1);
        output.ShouldBeEmpty();
        error.ShouldContain("the trace stops in the middle, or is damaged: ");
    }

    [Fact]
    public async Task a_folder_is_called_a_folder()
    {
        var (code, _, error) = await _lab.RunAsync("jit --trace .");
        code.ShouldBe(1);
        error.ShouldContain(" is a folder");
    }

    [Fact]
    public async Task a_pipe_is_refused_and_not_waited_for()
    {
        using (var made = System.Diagnostics.Process.Start("mkfifo", Path.Combine(_lab.Root, "pipe.nettrace")))
        {
            await made.WaitForExitAsync(TestContext.Current.CancellationToken);
        }

        var (code, _, error) = await _lab.RunAsync("jit --trace pipe.nettrace");
        code.ShouldBe(1);
        error.ShouldContain("is a pipe, socket or device, not a file");
    }

    [Theory]
    [InlineData("", "the trace is empty")]
    [InlineData("<html>", "not a .nettrace file")]
    public async Task what_is_no_trace_ends_in_an_error_that_says_what_it_is(string content, string message)
    {
        Write("odd.nettrace", System.Text.Encoding.ASCII.GetBytes(content));
        var (code, output, error) = await _lab.RunAsync("jit --trace odd.nettrace --trace nowhere.nettrace");
        code.ShouldBe(1);
        output.ShouldBeEmpty();
        error.ShouldContain(message);
        error.ShouldContain("there is no file ");
    }

    [Fact]
    public async Task a_gigabyte_of_nothing_ends_at_once()
    {
        using (var file = File.Create(Path.Combine(_lab.Root, "huge.nettrace")))
        {
            file.SetLength(1L << 30);
        }

        var (code, _, error) = await _lab.RunAsync("jit --trace huge.nettrace");
        code.ShouldBe(1);
        error.ShouldContain("not a .nettrace file");
    }

    [Theory]
    [InlineData("behaving", "Leave the workload out, or --trace.")]
    [InlineData("--base pgo=off --head pgo=on", "Leave --base out, or --trace.")]
    [InlineData("--executor process", "Leave --executor out, or --trace.")]
    public async Task a_trace_and_something_to_launch_at_once_are_wrong_use(string arguments, string expected)
    {
        var (code, _, error) = await _lab.RunAsync($"jit --trace on.nettrace {arguments}");
        code.ShouldBe(2);
        error.ShouldContain(expected);
    }

    private void Write(string name, byte[] bytes) => File.WriteAllBytes(Path.Combine(_lab.Root, name), bytes);
}
