using PerfLab.Core.Model;

namespace PerfLab.Runner.Tests.Machine;

public sealed class CpuListTests
{
    [Theory]
    [InlineData("0", "0")]
    [InlineData("0-2,5", "0-2,5")]
    [InlineData("5,0-2,1", "0-2,5")]
    [InlineData("0-1023\n", "0-1023")]
    [InlineData("", "")]
    [InlineData("\n", "")]
    public void a_list_is_read_and_written_as_the_kernel_does(string text, string written)
    {
        CpuList.TryParse(text, out var cpus).ShouldBeTrue();
        CpuList.Format(cpus).ShouldBe(written);
    }

    [Theory]
    [InlineData("-1")]
    [InlineData("2-1")]
    [InlineData("1,")]
    [InlineData("a")]
    [InlineData("1-2-3")]
    [InlineData("0-99999999")]
    [InlineData("+1")]
    [InlineData("1 2")]
    public void other_texts_are_no_list(string text) => CpuList.TryParse(text, out _).ShouldBeFalse();
}
