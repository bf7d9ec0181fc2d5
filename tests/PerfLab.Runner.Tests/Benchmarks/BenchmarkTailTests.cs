using PerfLab.Launching.Results;

namespace PerfLab.Runner.Tests.Benchmarks;

public sealed class BenchmarkTailTests
{
    [Theory]
    [InlineData("/bin/sh: 1: lscpu: not found\nthe table is not there\n", "the table is not there\n")]
    [InlineData("/bin/sh: line 1: lscpu: No such file or directory\r\nthe table is not there", "the table is not there")]
    [InlineData("sh: lscpu: command not found", "")]
    [InlineData("", "")]
    [InlineData("words.txt: No such file or directory\nlscpu", "words.txt: No such file or directory\nlscpu")]
    public void what_it_looked_for_in_vain_is_left_out(string tail, string expected) => BenchmarkTail.Of(tail).ShouldBe(expected);
}
