using PerfLab.Core.Model;
using PerfLab.Launching;

namespace PerfLab.Runner.Tests.Execution.Processes;

/// <summary>Real processes that take turns, and some that don't as they should: exactly one runs, and none is left frozen.</summary>
public class TurnsTests : IAsyncDisposable
{
    private const int Slices = 5;
    private static readonly TurnPlan Plan = new(Slices, 0.05);

    /// <summary>As a program does that is built with the kit.</summary>
    private const string Open = "exec 3>\"$PERF_LAB_TURN_SAY\" 4<\"$PERF_LAB_TURN_GO\"; say() { echo \"$*\" >&3; }; go() { read -r _ <&4; }; ";

    private const string Slice = "i=0; while [ $i -lt 5 ]; do i=$((i+1)); WORK; say slice 100 1000 500; go; done; echo done > \"$PERF_LAB_RESULT\"";

    private static readonly string Well = Open + "say warm; go; " + Slice.Replace("WORK", ":", StringComparison.Ordinal);

    protected ScriptFixture Scripts { get; }

    public TurnsTests() : this(sandbox: false)
    {
    }

    protected TurnsTests(bool sandbox) => Scripts = new(sandbox);

    public async ValueTask DisposeAsync()
    {
        await Scripts.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public async Task the_arms_of_a_round_do_their_slices_by_turns_and_each_ends_alone()
    {
        var end = await RunAsync(Well, Well);

        end.Void.ShouldBeNull();
        foreach (var arm in end.Arms)
        {
            (arm.End.How, arm.End.ExitCode, arm.Broken).ShouldBe((EndKind.Exited, 0, null));
            arm.Slices!.Work.ShouldBe(Enumerable.Repeat(100.0, Slices));
            arm.Slices.Seconds.ShouldAllBe(seconds => seconds == 1e-6);
            arm.Slices.ProcessorSeconds!.ShouldAllBe(seconds => seconds == 5e-7);
            File.ReadAllText(arm.End.ResultFile).ShouldBe("done\n");
        }
    }

    [Fact]
    public async Task three_arms_take_turns_in_the_order_that_was_drawn()
    {
        await SkipUnlessOpen();
        var log = Path.Combine(Scripts.Folder, "log");
        var working = Open + "say warm; go; " + Slice.Replace("WORK", $"echo ${{0##*/}} >> {log}", StringComparison.Ordinal);
        int[][] order = [[2, 0, 1], [0, 1, 2], [1, 0, 2], [2, 1, 0], [0, 2, 1]];

        (await RunAsync([working, working, working], order)).Void.ShouldBeNull();

        File.ReadAllLines(log).ShouldBe(order.SelectMany(set => set).Select(place => $"arm{place}.sh"));
    }

    [Theory]
    [InlineData("sh -c 'while :; do :; done' & CHILD=$!")] // in its group
    [InlineData("setsid sh -c 'while :; do :; done' & CHILD=$!")] // in a session of its own
    [InlineData("sh -c 'setsid sh -c \"echo \\$\\$ > CHILDFILE; while :; do :; done\" &' ; sleep 0.2; CHILD=$(cat CHILDFILE)")] // and its parent is gone
    [InlineData("(sh -c 'while :; do :; done' & echo $! > CHILDFILE; exec sleep 100) & sleep 0.2; CHILD=$(cat CHILDFILE)")] // a child's child
    public async Task whatever_a_program_started_stands_still_while_another_has_its_turn(string start)
    {
        await SkipUnlessOpen();
        var (child, states) = (Path.Combine(Scripts.Folder, "child"), Path.Combine(Scripts.Folder, "states"));
        var busy = Open + start.Replace("CHILDFILE", $"{child}.file", StringComparison.Ordinal) + $"; echo $CHILD > {child}; say warm; go; "
            + Slice.Replace("WORK", "sleep 0.02", StringComparison.Ordinal);
        // The state letter comes after the name in brackets.
        var looking = Open + "say warm; go; "
            + Slice.Replace("WORK", $"sleep 0.02; cut -d' ' -f3 /proc/$(cat {child})/stat >> {states}", StringComparison.Ordinal);

        var end = await RunAsync(busy, looking);

        end.Void.ShouldBeNull();
        File.ReadAllLines(states).ShouldBe(Enumerable.Repeat("T", Slices));
        end.Arms[0].Slices!.FrozenSeconds.ShouldBeLessThan(0.01);
        ScriptFixture.IsRunning(int.Parse(File.ReadAllText(child), System.Globalization.CultureInfo.InvariantCulture)).ShouldBeFalse();
    }

    [Fact]
    public async Task a_side_that_is_woken_in_the_others_turn_makes_the_round_void_by_name()
    {
        await SkipUnlessOpen();
        var child = Path.Combine(Scripts.Folder, "child");
        var busy = Open + $"sh -c 'while :; do :; done' & echo $! > {child}; say warm; go; " + Slice.Replace("WORK", ":", StringComparison.Ordinal);
        var waking = Open + "say warm; go; " + Slice.Replace("WORK", $"kill -CONT $(cat {child}); sleep 0.1", StringComparison.Ordinal);

        var end = await RunAsync(busy, waking);

        end.Void!.ShouldStartWith("base ran for ");
        end.Void.ShouldEndWith(" ms while it was frozen and another had its turn");
        end.Arms.ShouldAllBe(arm => arm.End.How == EndKind.KilledFromOutside && arm.Slices == null && arm.Broken == null);
    }

    [Theory]
    [InlineData("say warm; go; say slice 100 1000; sleep 60", EndKind.TimedOut, null)] // never says that its second slice is done
    [InlineData("sleep 60", EndKind.TimedOut, null)] // never warm
    [InlineData("say slice 100 1000; sleep 60", null, "said something else before it said that it is warm")]
    [InlineData("printf 'warm\\nwarm\\n' >&3; sleep 60", null, "twice in one turn")]
    [InlineData("say warm; go; printf 'slice 100 1000\\nslice 100 1000\\n' >&3; sleep 60", null, "twice in one turn")]
    [InlineData("say warm; go; say slice 100; sleep 60", null, "did not say how much work a slice was")]
    [InlineData("say warm; go; say slice 0 1000; sleep 60", null, "did not say how much work a slice was")]
    [InlineData("say warm; go; say slice 100 -1000; sleep 60", null, "did not say how much work a slice was")]
    [InlineData("say warm; go; say slice 100 1000 x; sleep 60", null, "did not say how much work a slice was")]
    [InlineData("say warm; go; say slice 100 99000000000; sleep 60", null, "said that a slice took 99 s, and its turn was ")]
    [InlineData("say warm; go; head -c 100000 /dev/zero >&3; sleep 60", null, "twice in one turn")]
    [InlineData("say warm; go; exit 0", null, "ended without having said that its slices are done")]
    [InlineData("say warm; exit 0", null, "ended without having said that its slices are done")]
    [InlineData("exit 0", null, "ended without having said that its slices are done")]
    [InlineData("say warm; go; exit 7", EndKind.Exited, null)]
    [InlineData("exit 7", EndKind.Exited, null)]
    [InlineData("say warm; go; kill -KILL $$", EndKind.KilledFromOutside, null)]
    public async Task an_arm_that_does_not_take_turns_ends_the_round_and_is_named(string script, EndKind? how, string? broken)
    {
        var end = await RunAsync(Well, Open + script);

        var (good, bad) = (end.Arms[0], end.Arms[1]);
        bad.Slices.ShouldBeNull();
        good.Slices.ShouldBeNull();
        if (broken is null)
        {
            bad.Broken.ShouldBeNull();
            bad.End.How.ShouldBe(how!.Value);
        }
        else
        {
            bad.Broken!.ShouldContain(broken);
        }

        // The one that did nothing wrong is no failure of its own.
        good.End.How.ShouldBe(EndKind.KilledFromOutside);
        good.End.Reason!.ShouldStartWith("head, with which it took turns, was ended: ");
        end.Void.ShouldBeNull();
    }

    [Fact]
    public async Task a_side_that_speaks_while_it_is_frozen_is_named()
    {
        await SkipUnlessOpen();
        // Somebody who is none of its processes speaks for it, as one would that got away.
        var forging = Open + "say warm; go; for pipe in " + Scripts.Root + "/perf-lab-process-*/out/say; do "
            + "[ \"$pipe\" = \"$PERF_LAB_TURN_SAY\" ] || echo slice 1 1 > \"$pipe\"; done; say slice 100 1000; go; sleep 60";

        var end = await RunAsync([Well, forging], [[1, 0], [1, 0], [1, 0], [1, 0], [1, 0]]);

        end.Arms[0].Broken.ShouldBe("said that a slice is done while it was frozen");
    }

    [Fact]
    public async Task one_slice_more_than_was_asked_for_is_named()
    {
        var end = await RunAsync(Well, Well + "; say slice 100 1000");

        end.Arms[1].Broken.ShouldBe("said more slices than it was asked for");
        end.Arms[0].End.How.ShouldBe(EndKind.KilledFromOutside);
    }

    [Fact]
    public async Task an_arm_that_can_not_be_started_is_told_and_nothing_is_left_of_the_other()
    {
        var (good, missing) = (Arm("good.sh", Well), Arm("good.sh", Well) with { Command = ["./missing.sh"] });
        var end = await Scripts.Launcher.LaunchInTurnsAsync(new([good, missing], ["base", "head"], Order(2)), TestContext.Current.CancellationToken);
        end.Arms[1].End.How.ShouldBe(EndKind.NotStarted);
        end.Arms[1].End.Reason!.ShouldContain("missing.sh");
    }

    [Theory]
    [InlineData("warm")]
    [InlineData("slices")]
    public async Task a_cancelled_round_leaves_nothing_frozen_and_nothing_running(string when)
    {
        await SkipUnlessOpen();
        var pids = Path.Combine(Scripts.Folder, "pids");
        using var cancelled = new CancellationTokenSource();
        var first = Open + $"setsid sleep 100 & echo $! >> {pids}; echo $$ >> {pids}; say warm; go; " + Slice.Replace("WORK", ":", StringComparison.Ordinal);
        var second = Open + $"echo $$ >> {pids}; " + (when == "warm" ? "" : "say warm; go; ") + $"touch {pids}.there; sleep 100";
        var round = Scripts.Launcher.LaunchInTurnsAsync(
            new([Arm("arm0.sh", first), Arm("arm1.sh", second)], ["base", "head"], [.. Enumerable.Repeat<int[]>([1, 0], Slices)]), cancelled.Token);
        await UntilAsync(() => File.Exists(pids + ".there"));
        await cancelled.CancelAsync();

        await Should.ThrowAsync<OperationCanceledException>(round);
        Scripts.Pids("pids").Count.ShouldBe(3);
        Scripts.Pids("pids").ShouldAllBe(pid => !ScriptFixture.IsRunning(pid));
    }

    [Fact]
    public async Task a_lab_that_is_killed_takes_its_frozen_programs_with_it()
    {
        await SkipUnlessOpen();
        var pids = Path.Combine(Scripts.Folder, "pids");
        var first = Open + $"setsid sleep 100 & echo $! >> {pids}; echo $$ >> {pids}; say warm; go; " + Slice.Replace("WORK", ":", StringComparison.Ordinal);
        var second = Open + $"echo $$ >> {pids}; say warm; go; touch {pids}.there; sleep 100";
        var round = Scripts.Launcher.LaunchInTurnsAsync(
            new([Arm("arm0.sh", first), Arm("arm1.sh", second)], ["base", "head"], [.. Enumerable.Repeat<int[]>([1, 0], Slices)]),
            TestContext.Current.CancellationToken);
        await UntilAsync(() => File.Exists(pids + ".there"));

        LabPipe.EndAsTheKernelDoes(Scripts.Root);

        await UntilAsync(() => Scripts.Pids("pids").All(pid => !ScriptFixture.IsRunning(pid)));
        (await round).Arms.ShouldAllBe(arm => arm.End.How == EndKind.KilledFromOutside);
    }

    [Fact]
    public async Task rounds_follow_each_other_and_leave_no_process_no_pipe_and_no_watch()
    {
        for (var round = 0; round < 3; round++)
        {
            (await RunAsync(Well, Well)).Arms.ShouldAllBe(arm => arm.Slices != null);
        }

        OpenHere().ShouldBeEmpty("descriptors of this process that lead to files of its launches");
    }

    protected virtual ValueTask SkipUnlessOpen() => ValueTask.CompletedTask;

    protected static IReadOnlyList<IReadOnlyList<int>> Order(int arms) =>
        [.. Enumerable.Range(0, Slices).Select(set => Enumerable.Range(0, arms).Select(place => (place + set) % arms).ToArray())];

    protected Task<TurnsEnd> RunAsync(string first, string second) => RunAsync([first, second], Order(2));

    private Task<TurnsEnd> RunAsync(string[] scripts, IReadOnlyList<IReadOnlyList<int>> order) => Scripts.Launcher.LaunchInTurnsAsync(
        new([.. scripts.Select((script, place) => Arm($"arm{place}.sh", script))], [.. new[] { "base", "head", "third" }.Take(scripts.Length)], order),
        TestContext.Current.CancellationToken);

    private LaunchSpec Arm(string name, string script)
    {
        Scripts.Write(name, "#!/bin/sh\n" + script + "\n");
        return Scripts.Launch("", launch => launch with
        {
            Command = ["./" + name],
            Turns = Plan,
            OutFiles = [new("PERF_LAB_TURN_SAY", "say"), new("PERF_LAB_TURN_GO", "go")],
            // Long enough for a busy machine; those that say nothing wait for it.
            Timeout = script.Contains("sleep 60", StringComparison.Ordinal) ? TimeSpan.FromSeconds(2) : TimeSpan.FromSeconds(20),
        });
    }

    // Other tests of this process open and close theirs meanwhile.
    private List<string> OpenHere() => [.. Directory.GetFileSystemEntries("/proc/self/fd")
        .Select(descriptor => new FileInfo(descriptor).LinkTarget ?? "").Where(target => target.Contains(Scripts.Root, StringComparison.Ordinal))];

    private static async Task UntilAsync(Func<bool> isSo)
    {
        for (var look = 0; look < 1000 && !isSo(); look++)
        {
            await Task.Delay(10, TestContext.Current.CancellationToken);
        }

        isSo().ShouldBeTrue();
    }
}
