using PerfLab.Core.Model;
using PerfLab.Runner.Commits;

namespace PerfLab.Runner.Tests.Commits;

/// <summary>`bisect` over a real repository of commits that say how slow they are.</summary>
public sealed class BisectCommandTests : IDisposable
{
    private const string Search = "bisect behaving --executor process --seed 7 --out search";

    private readonly CommittedLab _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task the_culprit_is_named_with_its_subject_and_a_cut_search_goes_on_to_the_same_answer()
    {
        Nightly.Only("a minute");
        _lab.Commit("Say it in the docs", 100);
        _lab.Lose("Lose the workload");
        _lab.Lose("Look for it");
        _lab.Commit("Look | <b>twice</b> @team", 105);
        var culprit = _lab.Id("HEAD");
        _lab.Commit("Tidy up", 105);
        _lab.Commit("Tidy up again", 105);

        var (code, output, error) = await _lab.RunAsync($"{Search} --good begin --bad main");

        code.ShouldBe(0, error);
        // The two before it have no workload, so that it is one of the three.
        output.ShouldContain($"one of 3 commits up to {culprit[..12]} made it 5.0 % slower");
        output.ShouldContain($"Culprit: `{culprit}` {UntrustedText.Code("Look | <b>twice</b> @team")}");
        output.ShouldNotContain("| <b>");
        output.ShouldContain("Could not be tested, and were left out:");
        output.ShouldContain("verdict regressed");
        output.ShouldNotContain("That is not all of it");
        output.ShouldBe(await File.ReadAllTextAsync(_lab.At("search/bisect.md")));
        var proof = _lab.Searched().Probes.Last(probe => probe.Kind == ProbeKind.Confirmation).Number;
        error.ShouldContain(FormattableString.Invariant($"which methods: `./perf-lab explain search/probe-{proof:000}`"));

        // As if it had been killed in the middle of its second probe.
        var file = _lab.Searched();
        file.Outcome.ShouldBe(BisectOutcome.Found);
        await File.WriteAllTextAsync(_lab.At("search/bisect.json"),
            BisectFile.File.Write(file with { Outcome = BisectOutcome.Searching, Probes = [.. file.Probes.Take(2)] }));
        foreach (var later in file.Probes.Skip(2))
        {
            Directory.Delete(_lab.At($"search/probe-{later.Number:000}"), recursive: true);
        }

        var cut = await File.ReadAllLinesAsync(_lab.At("search/probe-002/samples.ndjson"));
        await File.WriteAllLinesAsync(_lab.At("search/probe-002/samples.ndjson"), cut[..^2]);
        var (again, resumed, said) = await _lab.RunAsync("bisect --resume search --executor process");
        again.ShouldBe(0, said);
        resumed.ShouldBe(output);
        said.ShouldNotContain("probe 1:");
        said.ShouldContain("probe 2:");
        // Anew, not from where it was cut: the machine may have been another one since.
        (await File.ReadAllLinesAsync(_lab.At("search/probe-002/samples.ndjson"))).Intersect(cut[1..^2]).ShouldBeEmpty();
    }

    [Fact]
    public async Task where_good_and_bad_do_not_differ_there_is_nothing_to_search_for()
    {
        _lab.Commit("Say it otherwise", 100.0001);
        var (code, output, error) = await _lab.RunAsync($"{Search} --good begin");
        code.ShouldBe(4, error);
        output.ShouldContain("No difference between good and bad was found");
    }

    [Fact]
    public async Task two_that_build_the_same_bits_are_told_so_without_a_launch()
    {
        File.WriteAllText(_lab.At("notes.txt"), "nothing that is built");
        _lab.Git("add", "--all");
        _lab.Git("commit", "--quiet", "--message", "Note");
        var (code, _, error) = await _lab.RunAsync($"{Search} --good begin");
        code.ShouldBe(1);
        error.ShouldContain("they build the same bits");
    }

    [Fact]
    public async Task wrong_ends_are_refused_with_what_to_name_instead()
    {
        _lab.Commit("Second", 105);
        _lab.Git("checkout", "--quiet", "-b", "side", "begin");
        _lab.Commit("Aside", 101);
        _lab.Git("checkout", "--quiet", "--orphan", "alone");
        _lab.Commit("Alone", 102);
        _lab.Git("checkout", "--quiet", "main");
        (string Arguments, string Said)[] wrong =
        [
            ("--good main --bad begin", "Exchange the two: good is the older one"),
            ("--good main --bad main", "there is nothing between them"),
            ("--good side --bad main", $"they parted at {_lab.Id("begin")[..12]}"),
            ("--good alone --bad main", "have no common history"),
            ("--good begim --bad main", "Did you mean begin?"),
            ("--bad main", "--good: is not given."),
            ("--good begin --set time=1,2", "bisect takes exactly one cell; these are 2"),
        ];
        foreach (var (arguments, said) in wrong)
        {
            var (code, _, error) = await _lab.RunAsync($"{Search} {arguments}");
            code.ShouldBe(2, arguments);
            error.ShouldContain(said, customMessage: arguments);
        }

        (await _lab.RunAsync("bisect --resume nowhere --executor process")).Error.ShouldContain("name the folder that the interrupted search printed");
    }

    [Fact]
    public async Task a_commit_that_was_only_unlucky_is_not_named_and_the_search_goes_on_to_the_culprit()
    {
        Nightly.Only("15 seconds");
        // Nervous goes by the length of its environment, which is drawn from the seed: with this one its first three rounds look like the culprit's.
        _lab.Commit("A", 100);
        _lab.Commit("Nervous", "$((88 + ${#PERF_LAB_PAD} * 24 / 4096))");
        _lab.Commit("B", 100);
        _lab.Commit("Culprit", 110);
        _lab.Commit("C", 110);
        var (code, output, error) = await _lab.RunAsync("bisect behaving --executor process --seed 6 --out search --good begin");

        code.ShouldBe(0, error);
        output.ShouldContain("made it 10.0 % slower");
        output.ShouldContain($"Culprit: `{_lab.Id("HEAD~")}` `Culprit`");
        output.ShouldContain($"`{_lab.Id("HEAD~3")[..12]}` was taken for it; "
            + $"beside `{_lab.Id("HEAD~4")[..12]}` that was not proven");
        output.ShouldNotContain("That is not all of it");
    }

    [Fact]
    public async Task of_two_culprits_one_is_named_and_the_report_says_that_there_is_another()
    {
        Nightly.Only("10 seconds");
        _lab.Commit("A", 100);
        _lab.Commit("First culprit", 105);
        _lab.Commit("B", 105);
        _lab.Commit("Second culprit", 110.25);
        _lab.Commit("C", 110.25);
        var (code, output, error) = await _lab.RunAsync($"{Search} --good begin");
        code.ShouldBe(0, error);
        output.ShouldContain("made it 5.0 % slower");
        output.ShouldContain("That is not all of it: at least one more commit changed it.");
    }
}
