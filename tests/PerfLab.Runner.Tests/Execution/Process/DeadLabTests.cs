using System.Diagnostics;
using PerfLab.Launching.Processes;

namespace PerfLab.Runner.Tests.Execution.Processes;

/// <summary>What a lab that was killed left behind is found by its folder; nothing else is touched.</summary>
public sealed class DeadLabTests : IDisposable
{
    private readonly DirectoryInfo root = Directory.CreateTempSubdirectory("perf-lab-test-");

    public void Dispose() => root.Delete(recursive: true);

    [Fact]
    public async Task preparing_kills_and_removes_what_a_dead_lab_left()
    {
        var dead = Lab("perf-lab-process-dead", $"{int.MaxValue}");
        using var orphan = Start($"{ProcessLauncher.ResultVariable}={dead.FullName}/out/result.json");
        using var stranger = Start("OTHER=1");

        await using (var launcher = ProcessLauncher.Create(new ProcessExecutorOptions { TemporaryRoot = root.FullName }))
        {
            await launcher.PrepareAsync([], default);
        }

        await orphan.WaitForExitAsync();
        orphan.ExitCode.ShouldBe(137);
        dead.Refresh();
        dead.Exists.ShouldBeFalse();
        stranger.HasExited.ShouldBeFalse();
        stranger.Kill();
    }

    [Theory]
    [InlineData("perf-lab-process-no-owner", null)]
    [InlineData("perf-lab-process-nonsense", "someone")]
    [InlineData("something-else", "2147483647")]
    public async Task what_is_not_surely_a_dead_labs_stays(string name, string? owner)
    {
        var folder = Lab(name, owner);
        await using (var launcher = ProcessLauncher.Create(new ProcessExecutorOptions { TemporaryRoot = root.FullName }))
        await using (var other = ProcessLauncher.Create(new ProcessExecutorOptions { TemporaryRoot = root.FullName }))
        {
            await launcher.PrepareAsync([], default);
            Directory.GetDirectories(root.FullName).Length.ShouldBe(3, "a living lab's folder stays too");
        }

        Directory.Exists(folder.FullName).ShouldBeTrue();
    }

    private static System.Diagnostics.Process Start(string variable) => System.Diagnostics.Process.Start(
        new ProcessStartInfo("/usr/bin/env", [variable, "sleep", "60"]) { UseShellExecute = false })!;

    private DirectoryInfo Lab(string name, string? owner)
    {
        var folder = root.CreateSubdirectory(name);
        folder.CreateSubdirectory("out");
        if (owner is not null)
        {
            File.WriteAllText(Path.Combine(folder.FullName, "owner"), owner);
        }

        return folder;
    }
}
