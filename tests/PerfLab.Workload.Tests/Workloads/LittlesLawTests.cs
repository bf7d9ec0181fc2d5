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
    [InlineData(1060, 0.030)]
    [InlineData(940, 0.030)]
    [InlineData(0, 0.030)]
    [InlineData(1000, 0)]
    [InlineData(1000, double.NaN)]
    public void more_is_refused_with_both_numbers(double perSecond, double latency) =>
        Should.Throw<WrongAnswerException>(() => LittlesLaw.Check(perSecond, latency, inFlight: 30)).Message
            .ShouldEndWith("messages in flight, but there were 30: one of the two is wrong.");
}
