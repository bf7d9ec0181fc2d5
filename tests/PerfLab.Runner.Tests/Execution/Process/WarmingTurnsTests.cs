using PerfLab.Core.Model;
using PerfLab.Launching;

namespace PerfLab.Runner.Tests.Execution.Processes;

/// <summary>Each arm warms up alone: those that are warm stand still meanwhile, and those that come later are not there.</summary>
public sealed class WarmingTurnsTests : IAsyncDisposable
{
    private const int Slices = 5, Looks = 5;

    private const string Open = "#!/bin/sh\nexec 3>\"$PERF_LAB_TURN_SAY\" 4<\"$PERF_LAB_TURN_GO\"; "
        + "say() { echo \"$*\" >&3; }; go() { read -r _ <&4; }; ";

    private readonly ScriptFixture _scripts = new(sandbox: false);

    public ValueTask DisposeAsync() => _scripts.DisposeAsync();

    [Fact]
    public async Task while_an_arm_warms_up_nothing_of_another_arm_runs()
    {
        var (pids, states) = (Path.Combine(_scripts.Folder, "pids"), Path.Combine(_scripts.Folder, "states"));
        // The warm-up looks at whoever else is there. The state letter comes after the name in brackets.
        var warmUp = $"echo $$ >> {pids}; i=0; while [ $i -lt {Looks} ]; do i=$((i+1)); sleep 0.02; for pid in $(cat {pids}); do "
            + $"[ $pid = $$ ] || cut -d' ' -f3 /proc/$pid/stat >> {states}; done; done; ";

        var end = await _scripts.Launcher.LaunchInTurnsAsync(
            new([Arm("first.sh", warmUp), Arm("second.sh", warmUp), Arm("third.sh", warmUp)], ["base", "head", "third"],
                [.. Enumerable.Repeat(new[] { 0, 1, 2 }, Slices)]),
            TestContext.Current.CancellationToken);

        end.Void.ShouldBeNull();
        end.Arms.ShouldAllBe(arm => arm.Slices != null);
        File.ReadAllLines(states).ShouldBe(Enumerable.Repeat("T", Looks * (1 + 2)), "the second saw one other, the third two");
    }

    private LaunchSpec Arm(string name, string warmUp)
    {
        _scripts.Write(name, Open + warmUp + "say warm; go; i=0; while [ $i -lt 5 ]; do i=$((i+1)); say slice 100 1000 500; go; done; "
            + "echo done > \"$PERF_LAB_RESULT\"\n");
        return _scripts.Launch("", launch => launch with
        {
            Command = ["./" + name],
            Turns = new TurnPlan(Slices, 0.05),
            OutFiles = [new("PERF_LAB_TURN_SAY", "say"), new("PERF_LAB_TURN_GO", "go")],
            Timeout = TimeSpan.FromSeconds(20),
        });
    }
}
