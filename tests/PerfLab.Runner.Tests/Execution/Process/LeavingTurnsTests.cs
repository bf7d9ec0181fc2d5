using PerfLab.Core.Model;
using PerfLab.Launching;

namespace PerfLab.Runner.Tests.Execution.Processes;

/// <summary>A program that leaves its process group, or its session, while turns are taken, is frozen like any other.</summary>
public sealed class LeavingTurnsTests : IAsyncDisposable
{
    private const int Slices = 5;

    private const string Open =
        "exec 3>\"$PERF_LAB_TURN_SAY\" 4<\"$PERF_LAB_TURN_GO\"; say() { echo \"$*\" >&3; }; go() { read -r _ <&4; }; say warm; go; ";

    private readonly ScriptFixture _scripts = new(sandbox: false);

    public ValueTask DisposeAsync() => _scripts.DisposeAsync();

    [Theory]
    [InlineData("setsid sh -c 'echo $$ > CHILD; while :; do :; done' &")] // a session of its own
    [InlineData("perl -e 'setpgrp(0, 0); open(F, \">CHILD\"); print F \"$$\\n\"; close F; 1 while 1' &")] // a process group of its own
    public async Task what_leaves_in_its_second_slice_stands_still_in_the_others_turns(string leave)
    {
        var (child, states) = (Path.Combine(_scripts.Folder, "child"), Path.Combine(_scripts.Folder, "states"));
        var leaving = leave.Replace("CHILD", child, StringComparison.Ordinal) + " sleep 0.1";
        var first = Open + Sliced($"if [ $i = 2 ]; then {leaving}; else sleep 0.02; fi");
        // The state letter comes after the name in brackets.
        var second = Open + Sliced($"sleep 0.02; [ -s {child} ] && cut -d' ' -f3 /proc/$(cat {child})/stat >> {states}");

        var end = await _scripts.Launcher.LaunchInTurnsAsync(
            new([Arm("first.sh", first), Arm("second.sh", second)], ["base", "head"], [.. Enumerable.Repeat(new[] { 0, 1 }, Slices)]),
            TestContext.Current.CancellationToken);

        end.Void.ShouldBeNull();
        File.ReadAllLines(states).ShouldBe(Enumerable.Repeat("T", Slices - 1), "it left in the second of five slices");
        end.Arms[0].Slices!.FrozenSeconds.ShouldBeLessThan(0.01);
        ScriptFixture.IsRunning(int.Parse(File.ReadAllText(child), System.Globalization.CultureInfo.InvariantCulture)).ShouldBeFalse();
    }

    private static string Sliced(string work) =>
        $"i=0; while [ $i -lt 5 ]; do i=$((i+1)); {work}; say slice 100 1000 500; go; done; echo done > \"$PERF_LAB_RESULT\"";

    private LaunchSpec Arm(string name, string script)
    {
        _scripts.Write(name, "#!/bin/sh\n" + script + "\n");
        return _scripts.Launch("", launch => launch with
        {
            Command = ["./" + name],
            Turns = new TurnPlan(Slices, 0.05),
            OutFiles = [new("PERF_LAB_TURN_SAY", "say"), new("PERF_LAB_TURN_GO", "go")],
            Timeout = TimeSpan.FromSeconds(20),
        });
    }
}
