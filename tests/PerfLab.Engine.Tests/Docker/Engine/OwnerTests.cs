using PerfLab.Launching;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Engine.Tests.Docker.Engine;

public sealed class OwnerTests
{
    private static readonly Owner Self = new("machine", "boot", "pid:[1]", 100, 5_000);

    [Theory]
    [InlineData("machine/boot/pid:[1]/200/7000/x", false)]
    [InlineData("machine/boot/pid:[1]/200/7001/x", true)] // the pid belongs to another process now
    [InlineData("machine/boot/pid:[1]/201/7000/x", true)]
    [InlineData("machine/former/pid:[1]/200/7000/x", true)]
    [InlineData("machine/boot/pid:[2]/201/7000/x", false)] // a runner in a container: its pids can't be seen
    [InlineData("other/boot/pid:[1]/201/7000/x", false)]
    [InlineData("garbage", true)]
    [InlineData("", true)]
    [InlineData(null, true)]
    public void An_owner_is_dead_only_when_that_is_certain(string? label, bool dead) =>
        Self.IsDead(label, TimeSpan.FromMinutes(1), pid => pid == 200 ? 7_000 : null).ShouldBe(dead);

    [Fact]
    public void An_owner_that_can_not_be_seen_has_the_benefit_of_doubt_for_a_day()
    {
        Self.IsDead("other/boot/pid:[1]/201/7000/x", TimeSpan.FromHours(23), _ => null).ShouldBeFalse();
        Self.IsDead("other/boot/pid:[1]/201/7000/x", TimeSpan.FromHours(25), _ => null).ShouldBeTrue();
    }

    [Fact]
    public void This_process_lives_by_its_own_label()
    {
        var self = Owner.ThisProcess();
        Owner.Parse(self.Label).ShouldBe(self);
        self.IsDead(self.Label + "/instance", TimeSpan.Zero, pid => ProcessStat.Of(pid)?.Started).ShouldBeFalse();
    }
}
