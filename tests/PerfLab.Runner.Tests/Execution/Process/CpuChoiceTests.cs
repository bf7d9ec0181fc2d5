using PerfLab.Core.Model;
using PerfLab.Machine.Kernel;

namespace PerfLab.Runner.Tests.Execution.Processes;

public sealed class CpuChoiceTests
{
    [Theory]
    [InlineData(null, 2, "0-7", "6-7", "0-5")]
    [InlineData(null, 4, "0-2,5,7-8", "2,5,7-8", "0-1")]
    [InlineData(null, 16, "0-7", "1-7", "0")]
    [InlineData(null, 2, "4-7", "6-7", "4-5")]
    [InlineData(null, 2, "0-1", "0-1", "0-1")]
    [InlineData(null, 1, "0-1", "1", "0")]
    [InlineData(null, 2, "3", "3", "3")]
    [InlineData("2-3", 1, "0-3", "2-3", "0-1")]
    [InlineData("0-3", 1, "0-3", "0-3", "0-3")]
    public void cores_are_shared_out(string? wish, int count, string allowed, string workload, string lab)
    {
        CpuList.TryParse(allowed, out var cpus).ShouldBeTrue();
        var (choice, problem) = CpuChoice.From(wish, count, cpus);

        problem.ShouldBeNull();
        (CpuList.Format(choice!.Workload), CpuList.Format(choice.Lab)).ShouldBe((workload, lab));
    }

    [Theory]
    [InlineData("4", "it may use 0-1")]
    [InlineData("two", "is not a list of cores")]
    [InlineData("", "is not a list of cores")]
    public void a_wish_that_can_not_be_met_is_a_problem(string wish, string problem) =>
        CpuChoice.From(wish, 1, [0, 1]).Problem!.ShouldContain(problem);
}
