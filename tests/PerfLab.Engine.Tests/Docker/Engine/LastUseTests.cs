using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Engine.Tests.Docker.Engine;

public sealed class LastUseTests
{
    private static readonly DateTimeOffset Now = new(2026, 11, 21, 9, 30, 0, TimeSpan.Zero);

    [Fact]
    public void A_mark_says_the_day_and_reads_back()
    {
        var tag = LastUse.Tag("sha256:0123456789abcdef0123", Now.ToOffset(TimeSpan.FromHours(-12)));
        tag.ShouldBe("20261121-0123456789abcdef");
        LastUse.Of(Image("perf-lab/build:x", "perf-lab/used:" + tag)).ShouldBe(new DateTimeOffset(2026, 11, 21, 0, 0, 0, TimeSpan.Zero));
    }

    [Theory]
    [InlineData("20261121", false)]
    [InlineData("20261108", false)]
    [InlineData("20261107", true)]
    [InlineData("20250101", true)]
    [InlineData("20991231", false)]
    [InlineData("today", false)]
    [InlineData("", false)]
    [InlineData("2025010١", false)]
    public void Two_weeks_without_a_session_are_enough_and_what_is_no_day_never_is(string day, bool isOver) =>
        LastUse.IsOver(Image($"perf-lab/used:{day}-0123456789abcdef"), Now).ShouldBe(isOver);

    [Fact]
    public void The_last_of_several_marks_counts() =>
        LastUse.IsOver(Image("perf-lab/used:20250101-a", "perf-lab/used:20261120-a"), Now).ShouldBeFalse();

    [Theory]
    [InlineData("perf-lab/build:0123456789abcdef")]
    [InlineData("somebody/used:20250101-0123456789abcdef")]
    [InlineData("perf-lab/used-cars:20250101-0123456789abcdef")]
    [InlineData("<none>:<none>")]
    public void An_image_that_no_session_has_marked_stays(string tag) => LastUse.IsOver(Image(tag), Now).ShouldBeFalse();

    private static ImageSummary Image(params string[] tags) => new("sha256:0123", 1, tags);
}
