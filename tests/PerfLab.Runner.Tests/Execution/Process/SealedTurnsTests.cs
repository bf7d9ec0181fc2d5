namespace PerfLab.Runner.Tests.Execution.Processes;

/// <summary>The same inside bubblewrap, where it is installed and works; what looks at other launches from within can't there.</summary>
public sealed class SealedTurnsTests() : TurnsTests(sandbox: true)
{
    protected override ValueTask SkipUnlessOpen()
    {
        Assert.Skip("a sealed program sees no other");
        return ValueTask.CompletedTask;
    }

    [Fact]
    public async Task what_a_sealed_program_started_stands_still_too()
    {
        Assert.SkipUnless((await Scripts.Launcher.DescribeAsync(default))["sandbox"]!.GetValue<string>() == "bubblewrap", "bubblewrap is not here");
        const string Busy = "exec 3>\"$PERF_LAB_TURN_SAY\" 4<\"$PERF_LAB_TURN_GO\"; setsid sh -c 'while :; do :; done' & echo warm >&3; read -r _ <&4; "
            + "i=0; while [ $i -lt 5 ]; do i=$((i+1)); sleep 0.02; echo slice 100 1000 >&3; read -r _ <&4; done";

        var end = await RunAsync(Busy, Busy);

        end.Void.ShouldBeNull();
        end.Arms.ShouldAllBe(arm => arm.Slices != null && arm.Slices.FrozenSeconds < 0.01);
    }
}
