using PerfLab.Runner.Commits;

namespace PerfLab.Runner.Tests.Commits;

/// <summary>A search that was stopped, and what goes on with it.</summary>
public sealed class BisectResumeTests : IDisposable
{
    private const string Search = "bisect behaving --executor process --seed 7 --out search --good begin";

    private readonly CommittedLab _lab = new();

    public BisectResumeTests()
    {
        _lab.Commit("A", 100);
        _lab.Commit("B", 100);
        _lab.Commit("Culprit", 105);
        _lab.Commit("C", 105);
    }

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task when_the_minutes_are_over_the_likeliest_are_told_and_the_search_can_go_on()
    {
        Nightly.Only("10 seconds");
        var (code, output, error) = await _lab.RunAsync($"{Search} --minutes 0");

        code.ShouldBe(4, error);
        output.ShouldContain($"Not sure yet: with 95 % one of the 4 commits from {_lab.Id("main~3")[..12]} to {_lab.Id("main")[..12]}");
        error.ShouldContain("the 0 minutes are over; `./perf-lab bisect --resume search` goes on");
        _lab.Searched().Probes.ShouldHaveSingleItem().Kind.ShouldBe(ProbeKind.Ends);

        var (again, found, said) = await _lab.RunAsync("bisect --resume search");
        again.ShouldBe(0, said);
        found.ShouldContain($"{_lab.Id("main~1")[..12]} made it 5.0 % slower");
    }

    [Fact]
    public async Task an_interrupt_names_the_search_and_not_its_probe()
    {
        using var stop = new CancellationTokenSource();
        var search = _lab.RunAsync(Search, stop.Token);
        while (!search.IsCompleted && !File.Exists(_lab.At("search/probe-001/samples.ndjson")))
        {
            await Task.Delay(10, TestContext.Current.CancellationToken);
        }

        await stop.CancelAsync();
        var (code, _, error) = await search;
        code.ShouldBe(130, error);
        error.ShouldContain("interrupted: the search goes on with `./perf-lab bisect --resume search`");
        error.ShouldNotContain("run --resume");
        error.ShouldNotContain("what was measured is in");
    }

    [Fact]
    public async Task an_interrupt_before_anything_is_launched_names_the_search_too()
    {
        var (code, error) = await InterruptedAsync();

        code.ShouldBe(130, error);
        error.ShouldContain("interrupted: the search goes on with `./perf-lab bisect --resume search`");
        File.Exists(_lab.At("search/probe-001/samples.ndjson")).ShouldBeFalse();
    }

    [Fact]
    public async Task a_search_whose_first_build_failed_is_there_to_go_on_with()
    {
        _lab.Lose("Lose the workload");

        var (code, _, error) = await _lab.RunAsync(Search);
        code.ShouldBe(1);
        error.ShouldContain("good and bad must both build");

        (await _lab.RunAsync("bisect --resume search")).Error.ShouldContain("good and bad must both build");
    }

    [Fact]
    public async Task all_of_a_search_is_launched_the_same_way()
    {
        await InterruptedAsync();
        _lab.Searched().Executor.ShouldBe("process");
        await File.WriteAllTextAsync(_lab.At("search/bisect.json"), BisectFile.File.Write(_lab.Searched() with { Executor = "kubernetes" }));

        var (code, _, error) = await _lab.RunAsync("bisect --resume search --executor process");

        code.ShouldBe(2);
        error.ShouldContain("the search began with kubernetes");
    }

    [Fact]
    public async Task what_is_asked_beside_resume_is_said_not_to_be_read()
    {
        await InterruptedAsync();

        var (_, error) = await InterruptedAsync("bisect behaving --good main --resume search --minutes 0");

        error.ShouldContain("targets, commits and values are not read");
    }

    /// <summary>What a search says that ends before its first launch.</summary>
    private async Task<(int Code, string Error)> InterruptedAsync(string asked = Search)
    {
        using var stop = new CancellationTokenSource();
        _lab.Hears = line =>
        {
            if (line!.StartsWith("probe 1:", StringComparison.Ordinal))
            {
                stop.Cancel();
            }
        };
        var (code, _, error) = await _lab.RunAsync(asked, stop.Token);
        _lab.Hears = _ => { };
        return (code, error);
    }
}
