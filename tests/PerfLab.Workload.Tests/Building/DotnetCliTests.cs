using PerfLab.Building.Tools;

namespace PerfLab.Workload.Tests.Building;

public class DotnetCliTests
{
    [Fact]
    public async Task output_of_any_length_is_kept_at_both_ends()
    {
        var result = await new DotnetCli("/bin/sh").RunAsync(["-c", "echo first; yes middle 2>/dev/null | head -c 20000000; echo; echo last; exit 7"], "/", CancellationToken.None);
        result.ExitCode.ShouldBe(7);
        result.Output.Length.ShouldBeLessThan(2 * DotnetCli.OutputLimit);
        result.Output.ShouldStartWith("first\n");
        result.Output.TrimEnd().ShouldEndWith("last");
        result.Output.ShouldContain("characters left out");
    }

    // Which of two pipes is read first is nobody's to say: there is no order between them.
    [Fact]
    public async Task what_it_says_on_standard_error_is_kept_too() =>
        (await new DotnetCli("/bin/sh").RunAsync(["-c", "echo said >&2"], "/", CancellationToken.None)).Output.ShouldBe("said\n");

    [Fact]
    public async Task arguments_are_passed_as_they_are() =>
        (await new DotnetCli("/bin/echo").RunAsync(["a b", "$HOME", "'\""], "/", CancellationToken.None)).Output.ShouldBe("a b $HOME '\"\n");
}
