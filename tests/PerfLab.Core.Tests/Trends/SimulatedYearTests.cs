using PerfLab.Calibration.Years;

namespace PerfLab.Core.Tests.Trends;

public sealed class SimulatedYearTests
{
    [Fact]
    public void a_made_up_year_says_what_was_put_in_and_what_was_found()
    {
        Nightly.Only("15 seconds");
        var text = YearText.Of(Year.Replay(new() { Seed = 3 }));
        string[] said = ["seed 3", "| week | what was put in |", "Commits: ", "False issues: ", "a fix makes it"];
        said.ShouldAllBe(part => text.Contains(part), text);
        YearText.Of(Year.Replay(new() { Seed = 3 })).ShouldBe(text);
    }
}
