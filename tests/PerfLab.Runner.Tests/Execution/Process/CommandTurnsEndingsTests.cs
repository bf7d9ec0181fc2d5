using PerfLab.Launching;

namespace PerfLab.Runner.Tests.Execution.Processes;

/// <summary>Commands in turns that end badly: the round ends with them, who is to blame is named, and none stays frozen.</summary>
public sealed class CommandTurnsEndingsTests : IAsyncDisposable
{
    private const string Endless = CommandRounds.Endless;

    private readonly CommandRounds _rounds = new();

    public ValueTask DisposeAsync() => _rounds.DisposeAsync();

    [Fact]
    public async Task a_side_that_is_woken_in_the_others_turn_makes_the_round_void_by_name()
    {
        var end = await _rounds.RunAsync("echo $$ > pid; " + Endless,
            "exec perl -e 'sleep 1 until -s q(pid); open F, q(pid); my $p = <F>; while (1) { kill CONT => $p; }'");

        end.Void!.ShouldMatch("^base ran for [0-9.]+ ms while it was frozen and another had its turn$");
        end.Arms.ShouldAllBe(arm => arm.End.How == EndKind.KilledFromOutside && arm.Slices == null && arm.Broken == null);
    }

    [Fact]
    public async Task a_side_that_ends_while_it_is_frozen_makes_the_round_void_by_name()
    {
        // Long turns: both signals come in one of them, and its end.
        var end = await _rounds.RunAsync(_rounds.Round("trap 'exit 0' TERM; echo $$ > pid; " + Endless,
            "while [ ! -s pid ]; do :; done; read -r base < pid; kill -TERM $base; kill -CONT $base; " + Endless,
            arm => arm with { Turns = arm.Turns! with { SliceSeconds = 1 } }));

        // To end takes a shell about a millisecond, which is what a frozen side may have run: whichever is seen first is said.
        end.Void.ShouldNotBeNull().ShouldMatch("^base (ended|ran for [0-9.]+ ms) while it was frozen and another had its turn$");
        end.Arms.ShouldAllBe(arm => arm.End.How == EndKind.KilledFromOutside);
    }

    [Fact]
    public async Task a_side_that_is_killed_while_it_is_frozen_is_no_failure_of_either()
    {
        var end = await _rounds.RunAsync("echo $$ > pid; " + Endless, "while [ ! -s pid ]; do :; done; kill -KILL $(cat pid); " + Endless);

        (end.Void, end.Arms[0].End.How, end.Arms[1].End.How).ShouldBe((null, EndKind.KilledFromOutside, EndKind.KilledFromOutside));
        end.Arms[1].End.Reason.ShouldBe("base, with which it took turns, was ended: it ended by itself");
    }

    [Theory]
    [InlineData("exit 0", null, "^ended after [0-9.]+ s of its own, cut into fewer than 5 slices$")]
    [InlineData("exec sleep 0.06", null, "^ended after [0-9.]+ s of its own, cut into fewer than 5 slices$")]
    [InlineData("exit 7", EndKind.Exited, null)]
    [InlineData("perl -e '1 while (times)[0] < 0.3'; exit 7", EndKind.Exited, null)]
    [InlineData("perl -e '1 while (times)[0] < 0.3'; kill -KILL $$", EndKind.KilledFromOutside, null)]
    [InlineData("exec yes 'too much' >&2", EndKind.Flooded, null)]
    public async Task an_arm_that_is_too_short_or_fails_ends_the_round_and_is_named(string script, EndKind? how, string? broken)
    {
        var end = await _rounds.RunAsync(Endless, script);

        var (good, bad) = (end.Arms[0], end.Arms[1]);
        (good.Slices, bad.Slices, end.Void).ShouldBe((null, null, null));
        if (broken is null)
        {
            (bad.Broken, bad.End.How).ShouldBe((null, how!.Value));
        }
        else
        {
            bad.Broken!.ShouldMatch(broken);
        }

        good.End.How.ShouldBe(EndKind.KilledFromOutside);
        good.End.Reason!.ShouldStartWith("head, with which it took turns, was ended: ");
    }

    [Fact]
    public async Task a_deadline_counts_what_a_command_runs_itself()
    {
        var end = await _rounds.RunAsync(_rounds.Round(Endless, Endless, arm => arm with { Timeout = TimeSpan.FromSeconds(0.6) }));

        var late = end.Arms.Single(arm => arm.End.How == EndKind.TimedOut);
        late.End.WallSeconds.ShouldBeInRange(1, 10, "0.6 s of its own, and as much of the other's");
        end.Arms.Single(arm => arm != late).End.How.ShouldBe(EndKind.KilledFromOutside);
    }

    [Fact]
    public async Task alone_when_the_other_has_ended_it_has_what_is_left_of_its_deadline()
    {
        // Only its own: a busy machine may give the other less than half a second in two and a half.
        var round = _rounds.Round(CommandRounds.Half, Endless);
        round = round with { Arms = [round.Arms[0], round.Arms[1] with { Timeout = TimeSpan.FromSeconds(2.5) }] };
        var end = await _rounds.RunAsync(round);
        for (var again = 0; end.Void is not null && again < 3; again++)
        {
            end = await _rounds.RunAsync(round); // a machine that stood still for a second; a session repeats such a round, too
        }

        end.Void.ShouldBeNull();
        end.Arms[1].End.How.ShouldBe(EndKind.TimedOut, end.Arms[1].End.Reason);
        end.Arms[1].End.WallSeconds.ShouldBeInRange(2.5, 20);
        end.Arms[0].End.Reason!.ShouldContain("no end after 2.5 s");
    }

    [Fact]
    public async Task a_clock_that_jumps_over_a_turn_makes_the_round_void()
    {
        await using var launcher = _rounds.NewLauncher(new JumpingClock());

        var end = await launcher.LaunchInTurnsAsync(_rounds.Round(Endless, Endless), TestContext.Current.CancellationToken);

        end.Void!.ShouldMatch("^a turn of (base|head) was [36]0[0-9.]* s long in place of 0.04 s: the machine stood still, or perf-lab");
    }

    [Fact]
    public async Task a_command_that_can_not_be_started_is_told_and_nothing_is_left_of_the_other()
    {
        var round = _rounds.Round(Endless, Endless);
        var end = await _rounds.RunAsync(round with { Arms = [round.Arms[0], round.Arms[1] with { Command = ["./missing.sh"] }] });
        end.Arms.ShouldAllBe(arm => arm.End.How == EndKind.NotStarted && arm.End.Reason == $"there is no {_rounds.At("missing.sh")}.");
    }

    [Fact]
    public async Task a_cancelled_round_leaves_nothing_frozen_and_nothing_running()
    {
        using var cancelled = new CancellationTokenSource();
        var round = _rounds.Launcher.LaunchInTurnsAsync(
            _rounds.Round("echo $$ > one; " + Endless, "echo $$ > two; " + Endless), cancelled.Token);
        await CommandRounds.UntilAsync(() => _rounds.HasText("one") && _rounds.HasText("two"));
        await cancelled.CancelAsync();

        await Should.ThrowAsync<OperationCanceledException>(round);
        (_rounds.IsRunning("one"), _rounds.IsRunning("two")).ShouldBe((false, false));
    }

    [Fact]
    public async Task a_lab_that_is_killed_takes_its_frozen_commands_with_it()
    {
        var round = _rounds.RunAsync("echo $$ > one; " + Endless, "echo $$ > two; " + Endless);
        await CommandRounds.UntilAsync(() => _rounds.HasText("one") && _rounds.HasText("two"));

        LabPipe.EndAsTheKernelDoes(_rounds.Root);

        await CommandRounds.UntilAsync(() => !_rounds.IsRunning("one") && !_rounds.IsRunning("two"));
        (await round).Arms.ShouldAllBe(arm => arm.End.How == EndKind.KilledFromOutside);
    }

    /// <summary>
    /// The machine's, until somebody has waited by it a few times: each wait from then on is half a minute longer. A busy machine waits
    /// between two turns as well, where nothing is measured and nobody looks.
    /// </summary>
    private sealed class JumpingClock : TimeProvider
    {
        private const double JumpSeconds = 30, Waited = 0.02;
        private const int Waits = 5;
        private long _last;
        private int _waits;

        public override long GetTimestamp()
        {
            var now = System.GetTimestamp();
            _waits += now - _last > Waited * TimestampFrequency ? 1 : 0;
            _last = now;
            return now + (Math.Max(0, _waits - Waits) * (long)(JumpSeconds * TimestampFrequency));
        }
    }
}
