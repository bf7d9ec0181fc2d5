using PerfLab.WorkloadKit;
using PerfLab.Workloads.VirtualActors;

namespace PerfLab.Workload.Tests.Workloads;

/// <summary>The check that no closed loop gets past with a wrong latency or a wrong rate.</summary>
public class LittlesLawTests
{
    [Theory]
    [InlineData(1000, 0.030, "30 of 30")]
    [InlineData(1049, 0.030, "31.47 of 30")]
    [InlineData(951, 0.030, "28.53 of 30")]
    public void five_percent_off_is_believed(double perSecond, double latency, string expected) =>
        LittlesLaw.Check(perSecond, latency, inFlight: 30).ShouldBe(expected);

    [Theory]
    [InlineData(1096, 0.1, true)] // a stall of 200 ms when 2 s began
    [InlineData(1160, 0.1, false)]
    [InlineData(1240, 3, true)]
    [InlineData(1260, 3, false)]
    public void messages_that_were_on_their_way_when_measuring_began_count_whole(double perSecond, double atTheEdges, bool isBelieved)
    {
        var check = () => LittlesLaw.Check(perSecond, 0.030, inFlight: 30, atTheEdges);
        if (isBelieved)
        {
            check().ShouldEndWith(" of 30");
        }
        else
        {
            check.ShouldThrow<WrongAnswerException>();
        }
    }

    [Theory]
    [InlineData(1060, 0.030)]
    [InlineData(940, 0.030)]
    [InlineData(0, 0.030)]
    [InlineData(1000, 0)]
    [InlineData(1000, double.NaN)]
    public void more_is_refused_with_both_numbers(double perSecond, double latency) =>
        Should.Throw<WrongAnswerException>(() => LittlesLaw.Check(perSecond, latency, inFlight: 30)).Message
            .ShouldEndWith("messages in flight, but there were 30: one of the two is wrong.");
}
