using PerfLab.Runner.Commands.Options;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>Who types what an earlier version had is told what to type now.</summary>
public sealed class RemovedOptionsTests : IDisposable
{
    private const string Details = "--hygiene is gone: type --details";

    private const string MadeUpYear =
        "is gone: type dotnet run --project benchmarks/PerfLab.Calibration -c Release -- --year --seed N in perf-lab's checkout";

    /// <summary>What was typed, and the beginning of what is said.</summary>
    private static readonly Dictionary<string, string> Said = new(StringComparer.Ordinal)
    {
        ["run behaving --tiering off"] = "--tiering is gone: type --set tiering=…",
        ["plan behaving --tiering off"] = "--tiering is gone: type --set tiering=…",
        ["bisect behaving --good HEAD~1 --tiering off"] = "--tiering is gone: type --set tiering=…",
        ["jit behaving --tiering off"] = "--tiering is gone: type --set tiering=…",
        ["run behaving --readytorun on"] = "--readytorun is gone: type --set readytorun=…",
        ["plan behaving --readytorun=on"] = "--readytorun is gone: type --set readytorun=…",
        ["bisect behaving --good HEAD~1 --readytorun on"] = "--readytorun is gone: type --set readytorun=…",
        ["jit behaving --readytorun on"] = "--readytorun is gone: type --set readytorun=…",
        ["run behaving --quick-jit-for-loops off"] = "--quick-jit-for-loops is gone: type --set quick-jit-for-loops=…",
        ["plan behaving --quick-jit-for-loops off"] = "--quick-jit-for-loops is gone: type --set quick-jit-for-loops=…",
        ["bisect behaving --good HEAD~1 --quick-jit-for-loops off"] = "--quick-jit-for-loops is gone: type --set quick-jit-for-loops=…",
        ["jit behaving --quick-jit-for-loops off"] = "--quick-jit-for-loops is gone: type --set quick-jit-for-loops=…",
        ["run behaving --osr off"] = "--osr is gone: type --set osr=…",
        ["plan behaving --osr off"] = "--osr is gone: type --set osr=…",
        ["bisect behaving --good HEAD~1 --osr off"] = "--osr is gone: type --set osr=…",
        ["jit behaving --osr off"] = "--osr is gone: type --set osr=…",
        ["run behaving --datas on"] = "--datas is gone: type --set datas=…",
        ["plan behaving --datas on"] = "--datas is gone: type --set datas=…",
        ["bisect behaving --good HEAD~1 --datas on"] = "--datas is gone: type --set datas=…",
        ["jit behaving --datas on"] = "--datas is gone: type --set datas=…",
        ["run behaving --aa --hygiene"] = Details,
        ["compare session --hygiene"] = Details,
        ["report session --hygiene"] = Details,
        ["import --hygiene"] = Details,
        ["import bdn report.json --hygiene"] = Details,
        ["demo --hygiene"] = Details,
        ["doctor --lanes"] = "--lanes is gone: one launch at a time is measured on a machine. Type ./perf-lab doctor",
        ["measure plan.json --lanes 4"] =
            "--lanes is gone: type --nodes N --executor kubernetes in a cluster, and --shard K on each of several machines",
        ["plan behaving --within 30m"] = "--within is gone: type --shards 30m to spread a plan over machines; run has --within",
        ["plan --request request.json --base-source base"] = "--base-source is gone: type --checkouts DIR: each commit is in DIR/ARM",
        ["plan --request request.json --head-source head"] = "--head-source is gone: type --checkouts DIR: each commit is in DIR/ARM",
        ["trend --simulate"] = $"--simulate {MadeUpYear}",
        ["trend --simulate --seed 7"] = $"--simulate {MadeUpYear}",
        ["trend --seed 7"] = $"--seed {MadeUpYear}",
    };

    private readonly LabFixture _lab = new();

    public static TheoryData<string> Typed => [.. Said.Keys];

    public void Dispose() => _lab.Dispose();

    [Theory]
    [MemberData(nameof(Typed))]
    public async Task an_option_of_an_earlier_version_is_refused_with_what_to_type_now(string line)
    {
        var (code, output, error) = await _lab.RunAsync(line);
        code.ShouldBe(2, error);
        error.ShouldContain(Said[line]);
        // The value of an option that is gone is neither a command nor a word too many.
        error.ShouldNotContain("is not a command");
        error.ShouldNotContain("one word too many");
        output.ShouldBeEmpty();
    }

    [Fact]
    public void each_option_that_went_is_typed_here_for_each_command_that_had_it()
    {
        var typed = Said.Keys.Select(line => line.Split(' ', '=')).ToList();
        RemovedOptions.All
            .SelectMany(removed => removed.Commands.Select(command => (Command: command, removed.Option)))
            .Where(gone => !typed.Exists(words => CommandOf(words) == gone.Command && words.Contains(gone.Option)))
            .ShouldBeEmpty();
    }

    private static string CommandOf(string[] words) => words is ["import", "bdn", ..] ? "bdn" : words[0];
}
