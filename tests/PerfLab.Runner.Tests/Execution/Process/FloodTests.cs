using PerfLab.Launching;

namespace PerfLab.Runner.Tests.Execution.Processes;

/// <summary>What a flood of output costs the lab. Alone, because the runtime counts the bytes that all tests allocate.</summary>
[CollectionDefinition(nameof(FloodTests), DisableParallelization = true)]
[Collection(nameof(FloodTests))]
public sealed class FloodTests : IAsyncDisposable
{
    private readonly ScriptFixture scripts = new();

    public ValueTask DisposeAsync() => scripts.DisposeAsync();

    [Theory]
    [InlineData("exec dd if=/dev/zero bs=65536 count=16384 2>/dev/null")]
    [InlineData("exec dd if=/dev/urandom bs=65536 count=16384 >&2 2>/dev/null; exec yes >&2")]
    [InlineData("exec yes 'a line of text that repeats'")]
    public async Task a_gigabyte_of_output_is_stopped_in_bounded_memory(string script)
    {
        var before = GC.GetTotalAllocatedBytes();
        var end = await scripts.Run(script);

        end.How.ShouldBe(EndKind.Flooded);
        end.Reason!.ShouldContain("16 MiB");
        end.Tail.Length.ShouldBeLessThanOrEqualTo(4_000);
        (GC.GetTotalAllocatedBytes() - before).ShouldBeLessThan(64L << 20);
    }
}
