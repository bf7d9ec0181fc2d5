using PerfLab.Core.Model;
using PerfLab.Engine.Tests.Support;
using PerfLab.Launching;

namespace PerfLab.Engine.Tests.Docker.Launching;

public sealed class SealedDotnetTests(EngineFixture engine, Hello hello)
{
    [Fact]
    public async Task A_self_contained_program_finds_all_that_it_needs()
    {
        var (end, result) = await RunAsync();
        end.Tail.ShouldBeEmpty();
        end.ExitCode.ShouldBe(0);
        result[0].ShouldStartWith(".NET 10.0.");
        result[1..].ShouldBe(["workload", "127.0.0.1", "64 hex digits", "96 MiB for the GC", "1 processor", "tmp works"]);
    }

    [Theory]
    [InlineData("crash", "crashed on purpose")]
    [InlineData("throw", "thrown on purpose")]
    public async Task A_crash_is_an_exit_with_its_last_words(string mode, string words)
    {
        var (end, _) = await RunAsync(mode);
        end.How.ShouldBe(EndKind.Exited);
        end.ExitCode.ShouldBe(134);
        end.Reason.ShouldBe("crashed");
        end.Tail.ShouldContain(words);
    }

    [Fact]
    public async Task Managed_memory_runs_out_before_the_container_does_and_counts_the_same()
    {
        var (end, _) = await RunAsync("memory");
        end.How.ShouldBe(EndKind.OutOfMemory);
        end.Evidence["peakMemoryBytes"]!.GetValue<long>().ShouldBeGreaterThan(64 << 20);
    }

    [Fact]
    public async Task System_calls_that_could_break_the_seal_are_refused()
    {
        Nightly.Only("50 seconds");
        var (end, _) = await RunAsync("calls");
        // Docker's default filter lets a process trace others of its own user in its own container since kernel 4.8: nothing to gain there.
        end.Tail.ShouldBe("allowed: ptrace pid 1\ntried 23");
    }

    private async Task<(LaunchEnd End, string[] Result)> RunAsync(params string[] arguments)
    {
        await using var launches = Launches.On(engine);
        var build = await hello.Build;
        await launches.Launcher.PrepareAsync([build], CancellationToken.None);
        var spec = launches.Spec(build, ["./hello", .. arguments]) with { Resources = new Resources(1, 128 << 20, 64) };
        var end = await launches.Launcher.LaunchAsync(spec, CancellationToken.None);
        return (end, File.Exists(end.ResultFile) ? await File.ReadAllLinesAsync(end.ResultFile) : []);
    }
}
