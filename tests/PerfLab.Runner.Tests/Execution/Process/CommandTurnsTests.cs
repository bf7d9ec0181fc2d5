using PerfLab.Core.Model;
using PerfLab.Launching;

namespace PerfLab.Runner.Tests.Execution.Processes;

/// <summary>Real commands that know nothing of turns, cut by the clock: exactly one runs, and its time is what it ran itself.</summary>
public sealed class CommandTurnsTests : IAsyncDisposable
{
    private readonly CommandRounds _rounds = new();

    public ValueTask DisposeAsync() => _rounds.DisposeAsync();

    [Fact]
    public async Task two_programs_are_cut_and_the_time_of_each_is_what_it_ran_itself()
    {
        var end = await _rounds.RunAsync(
            "seq 50000 | gzip -9 > /dev/null; " + CommandRounds.Half, "exec perl -e '1 while (times)[0] < 1.5'");

        end.Void.ShouldBeNull();
        foreach (var arm in end.Arms)
        {
            (arm.End.How, arm.End.ExitCode, arm.Broken).ShouldBe((EndKind.Exited, 0, null));
            arm.Slices!.Work.ShouldBeNull();
            arm.Slices.Seconds.Count.ShouldBeGreaterThanOrEqualTo(5);
            arm.Slices.FrozenSeconds.ShouldBeLessThan(0.01 * arm.Slices.Seconds.Count);
            arm.Slices.Seconds.Sum().ShouldBeLessThan(arm.End.WallSeconds);
        }

        var (shorter, longer) = (end.Arms[0], end.Arms[1]);
        shorter.Slices!.Seconds.Sum().ShouldBeGreaterThan(0.5);
        longer.Slices!.Seconds.Sum().ShouldBeGreaterThan(1.5);
        shorter.Slices.Seconds[^1].ShouldBeLessThan(shorter.Slices.Seconds.SkipLast(1).Max() + 0.1, "it ended in its turn");
        (shorter.Slices.Seconds.Sum() + longer.Slices.Seconds.Sum())
            .ShouldBeLessThan(longer.End.WallSeconds + 0.2, "never both at once: the first is there a moment before the second");
        longer.Slices.Seconds[^1]
            .ShouldBeGreaterThan(longer.Slices.Seconds.SkipLast(1).Max(), "when the other has ended it is cut no more");
    }

    [Fact]
    public async Task the_turns_are_those_that_were_drawn()
    {
        const string Work = "i=0; while [ $i -lt 40000 ]; do i=$((i+1)); echo ${0##*/} >> log; done";
        // Three of them: of two, one follows the other in any order.
        int[][] order = [[2, 0, 1], [0, 1, 2], [1, 0, 2], [1, 2, 0]];

        (await _rounds.RunAsync(_rounds.RoundOfThree(Work) with { Order = order })).Void.ShouldBeNull();

        var seen = Merged(await File.ReadAllLinesAsync(_rounds.At("log"), TestContext.Current.CancellationToken));
        // Each may come to its work before it is stopped for the first time.
        int[][] begins = [[], [0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]];
        begins.Select(begin => Merged([.. begin.Concat(order.SelectMany(set => set)).Select(place => $"arm{place}.sh")])).ShouldContain(
            expected => seen.Take(expected.Count).SequenceEqual(expected), string.Join(' ', seen));
    }

    [Fact]
    public async Task whatever_a_command_started_stands_still_while_the_other_has_its_turn()
    {
        Nightly.Only("10 seconds");
        const string First = "setsid sh -c 'echo $$ > pid; while :; do :; done' & while [ ! -s pid ]; do :; done; "
            + "exec perl -e '1 while (times)[0] < 0.6'";
        // The state letter comes after the name in brackets.
        const string Second = "while [ ! -s pid ]; do :; done; while { read -r line < /proc/$(cat pid)/stat; } 2>/dev/null; do "
            + "rest=${line##*) }; [ \"${rest%% *}\" = Z ] && break; echo ${rest%% *} >> states; done; " + CommandRounds.Half;

        var end = await _rounds.RunAsync(First, Second);

        end.Void.ShouldBeNull();
        var states = await File.ReadAllLinesAsync(_rounds.At("states"), TestContext.Current.CancellationToken);
        states.Length.ShouldBeGreaterThan(5);
        states.Distinct().ShouldBe(["T"]);
        _rounds.IsRunning("pid").ShouldBeFalse("what a command leaves behind is killed");
    }

    [Fact]
    public async Task a_long_command_keeps_as_many_slices_as_a_journal_takes_and_loses_no_time()
    {
        Nightly.Only("20 seconds");
        const string Long = "exec perl -e '1 while (times)[0] < 2.8'";
        var end = await _rounds.RunAsync(_rounds.Round(Long, Long, arm => arm with { Turns = arm.Turns! with { SliceSeconds = 0.005 } }));

        end.Void.ShouldBeNull();
        end.Arms.ShouldAllBe(arm => arm.Slices!.Seconds.Count <= TurnPlan.MostSlices && arm.Slices.Seconds.Sum() > 2.8);
    }

    [Fact]
    public async Task rounds_follow_each_other_and_leave_no_pipe_and_no_watch()
    {
        Nightly.Only("10 seconds");
        var same = _rounds.Round(CommandRounds.Half, CommandRounds.Half);
        for (var round = 0; round < 2; round++)
        {
            (await _rounds.RunAsync(same)).Arms.ShouldAllBe(arm => arm.Slices != null);
        }

        Directory.GetFileSystemEntries("/proc/self/fd").Select(descriptor => new FileInfo(descriptor).LinkTarget ?? "")
            .ShouldNotContain(target => target.Contains(_rounds.Root, StringComparison.Ordinal));
    }

    /// <summary>Without what is the same as the one before it.</summary>
    private static List<string> Merged(IReadOnlyList<string> lines) => [.. lines.Where((line, at) => at == 0 || line != lines[at - 1])];
}
