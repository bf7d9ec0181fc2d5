using PerfLab.Launching.Docker.Containers;

namespace PerfLab.Engine.Tests.Docker.Launching;

public sealed class CpuChoiceTests
{
    [Theory]
    [InlineData("0", 1, "0")]
    [InlineData("0-1", 1, "1")]
    [InlineData("0-1", 2, "0-1")]
    [InlineData("0-1", 4, "0-1")]
    [InlineData("0-3", 2, "2-3")]
    [InlineData("0-3", 4, "1-3")] // CPU 0 stays with the lab: the launcher warns of the missing one
    [InlineData("0-2,5,7-8", 4, "2,5,7-8")]
    [InlineData("0-1023", 1, "1023")]
    public void The_last_cores_are_taken_and_CPU_0_is_left_to_the_lab_where_there_are_more_than_two(string online, int wanted, string chosen) =>
        CpuChoice.From(online, wanted).ShouldBe(chosen);

    [Theory]
    [InlineData("")]
    [InlineData("-1")]
    [InlineData("garbage")]
    [InlineData("3-1")]
    [InlineData("0-99999999999")]
    public void What_is_no_list_names_no_core(string list) => CpuChoice.Parse(list).ShouldBeEmpty();
}
