using System.Diagnostics;
using PerfLab.Core.Model;
using PerfLab.Launching.Results;

namespace PerfLab.Runner.Tests.Execution.Results;

/// <summary>What lies at the path may be anything; reading ends at once and says what it is.</summary>
public sealed class ResultFileTests : IDisposable
{
    private static readonly ExpectedResult Expected = new("n1", [new("throughput", "doc/s", Better.Higher, Primary: true)], WallSeconds: 5);

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");

    public void Dispose() => folder.Delete(recursive: true);

    [Theory]
    [InlineData("ln -s /etc/passwd result.json", "link")]
    [InlineData("ln -s /nowhere result.json", "link")]
    [InlineData("mkfifo result.json", "a pipe")]
    [InlineData("mkdir result.json", "a folder")]
    [InlineData("truncate -s 1T result.json", "1099511627776 bytes, expected at most 1048576")]
    [InlineData("truncate -s 1000000 result.json", "not strict JSON")]
    [InlineData("truncate -s 1048577 result.json", "1048577 bytes")]
    [InlineData("echo x > other; ln other result.json", "2 names")]
    [InlineData("mknod result.json c 1 5", "a character device")]
    [InlineData("mknod result.json b 7 99", "block device|pipe, socket or device")]
    public async Task a_thing_that_is_no_plain_small_file_is_refused(string make, string problem)
    {
        Assert.SkipUnless(await Shell(make), $"'{make}' is not allowed here");

        var reading = await Task.Run(() => ResultReader.Read(Path.Combine(folder.FullName, "result.json"), Expected))
            .WaitAsync(TimeSpan.FromSeconds(10));

        reading.Absent.ShouldBeFalse();
        reading.Problems.ShouldHaveSingleItem().ShouldMatch(problem);
    }

    [Fact]
    public async Task a_folder_that_became_a_link_is_not_followed()
    {
        Assert.SkipUnless(await Shell("mkdir real; echo '{}' > real/result.json; ln -s real out"), "needs a Unix shell");

        ResultReader.Read(Path.Combine(folder.FullName, "out", "result.json"), Expected).Problems.ShouldHaveSingleItem().ShouldContain("the folder of the result is a link");
    }

    [Fact]
    public void a_folder_that_is_gone_is_no_result() =>
        ResultReader.Read(Path.Combine(folder.FullName, "out", "result.json"), Expected).Absent.ShouldBeTrue();

    private async Task<bool> Shell(string command)
    {
        var start = new ProcessStartInfo("/bin/sh", ["-c", command]) { WorkingDirectory = folder.FullName, UseShellExecute = false, RedirectStandardError = true };
        using var shell = Process.Start(start)!;
        await shell.WaitForExitAsync();
        return shell.ExitCode == 0;
    }
}
