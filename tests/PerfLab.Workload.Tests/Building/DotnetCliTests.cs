using PerfLab.Building.Tools;

namespace PerfLab.Workload.Tests.Building;

public class DotnetCliTests
{
    [Fact]
    public async Task output_of_any_length_is_kept_at_both_ends()
    {
        var result = await new DotnetCli("/bin/sh").RunAsync(["-c", "echo first; yes middle | head -c 20000000; echo; echo last >&2; exit 7"], "/", CancellationToken.None);
        result.ExitCode.ShouldBe(7);
        result.Output.Length.ShouldBeLessThan(2 * DotnetCli.OutputLimit);
        result.Output.ShouldStartWith("first\n");
        result.Output.TrimEnd().ShouldEndWith("last");
        result.Output.ShouldContain("characters left out");
    }

    [Fact]
    public async Task arguments_are_passed_as_they_are() =>
        (await new DotnetCli("/bin/echo").RunAsync(["a b", "$HOME", "'\""], "/", CancellationToken.None)).Output.ShouldBe("a b $HOME '\"\n");
}
