using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>When a lease is one: every layer asks this.</summary>
public sealed class LeaseTests
{
    private static readonly DateTimeOffset Now = new(2026, 11, 2, 8, 0, 0, TimeSpan.Zero);

    [Theory]
    [InlineData(-1, false)]
    [InlineData(0, false)]
    [InlineData(1, true)]
    [InlineData(7 * 3600, true)]
    [InlineData((7 * 3600) + 1, false)]
    public void A_lease_is_live_until_its_last_second_and_never_for_more_than_seven_hours(int seconds, bool isLive) =>
        new Lease(LabFixture.Us, Now.AddSeconds(seconds)).IsLiveAt(Now).ShouldBe(isLive);

    [Theory]
    [InlineData("4711/1/2026-11-02T08:00:00Z", true)]
    [InlineData("4711/1/2026-11-02T08:00:00", false)]
    [InlineData("4711/1/2026-11-02 08:00:00Z", false)]
    [InlineData("4711/1/2026-11-02T08:00:00+02:00", false)]
    [InlineData("-4711/1/2026-11-02T08:00:00Z", false)]
    [InlineData("4711/1x/2026-11-02T08:00:00Z", false)]
    [InlineData(" 4711/1/2026-11-02T08:00:00Z", false)]
    [InlineData("4711/2026-11-02T08:00:00Z", false)]
    [InlineData("4711/1/2026-11-02T08:00:00Z/1", false)]
    [InlineData("", false)]
    public void Only_this_form_is_read_and_written(string text, bool isLease) => (Lease.Parse(text)?.ToString() == text).ShouldBe(isLease);
}
