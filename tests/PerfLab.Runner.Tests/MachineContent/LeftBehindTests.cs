using System.Diagnostics;
using YamlDotNet.RepresentationModel;

namespace PerfLab.Runner.Tests.MachineContent;

/// <summary>
/// What a hostile job may leave in a folder that stays, and the lines that take it away: run as they stand, as an ordinary user and as root.
/// Nothing is played.
/// </summary>
public sealed class LeftBehindTests : IDisposable
{
    private const string Step = "Nothing of an earlier request is left";
    private const string Nobody = "65534";

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");

    public void Dispose() => folder.Delete(recursive: true);

    [Theory]
    [InlineData("benchmark-machine.yml")]
    [InlineData("trend-machine.yml")]
    public async Task The_first_step_empties_a_folder_with_folders_that_nobody_may_look_into(string workflow)
    {
        Shell.NeedRoot();
        var run = FirstStep(Path.Combine(Core.Tests.Reporting.Support.Repository.Root, ".github", "workflows", workflow));
        var left = await LeaveAsync(Path.Combine(folder.FullName, "work"), owner: Nobody);

        // As the runner does it: https://docs.github.com/actions/reference/workflow-syntax-for-github-actions ("bash -e {0}" where none is named).
        var result = await Shell.RunAsync(
            new ProcessStartInfo("setpriv", ["--reuid", Nobody, "--regid", Nobody, "--clear-groups", "bash", "-e", "-c", run]) { WorkingDirectory = left }, null);

        result.Exit.ShouldBe(0, result.Output);
        Directory.EnumerateFileSystemEntries(left).ShouldBeEmpty();
    }

    [Fact]
    public async Task The_boot_takes_what_jobs_left_whoever_owns_it()
    {
        Shell.NeedRoot();
        var runner = Path.Combine(folder.FullName, "runner");
        var left = await LeaveAsync(Path.Combine(runner, "_work"), owner: "65532");
        var script = Path.Combine(Shell.Machine, "files/usr/local/lib/perf-lab/reset-user");
        var user = "lab-" + Guid.NewGuid().ToString("n")[..8];

        var start = new ProcessStartInfo("/bin/bash", [script, user, runner]) { Environment = { ["PERF_LAB_RUN"] = Path.Combine(folder.FullName, "run") } };
        start.Environment["PATH"] += ":/usr/sbin";
        var result = await Shell.RunAsync(start, null);
        await Shell.RunAsync("/usr/sbin/userdel", "--remove", user);

        result.Exit.ShouldBe(0, result.Output);
        Directory.Exists(left).ShouldBeFalse();
        Directory.Exists(runner).ShouldBeTrue();
    }

    private static string FirstStep(string path)
    {
        var stream = new YamlStream();
        using var text = File.OpenText(path);
        stream.Load(text);
        var step = ((YamlSequenceNode)stream.Documents[0].RootNode["jobs"]["measure"]["steps"]).Children[0];
        step["name"].ToString().ShouldBe(Step);
        return step["run"].ToString();
    }

    /// <summary>The tree of the report: 200 MB would only take time here, the modes are what matters.</summary>
    private async Task<string> LeaveAsync(string path, string owner)
    {
        var made = await Shell.RunAsync("bash", "-ec", $"""
            mkdir -p '{path}/out/a/b/c' '{path}/out/x/y/z'; cd '{path}'
            echo left >out/a/b/c/file; ln -s /etc/passwd out/x/link; mkfifo out/x/pipe; touch out/x/y/-delete
            chown -hR {owner}:{owner} .; chmod 000 out/a/b/c out/a/b out/x/y/z; chmod 700 out/a; chmod 000 out/x/y out/x
            chmod 755 '{folder.FullName}'
            """);
        made.Exit.ShouldBe(0, made.Output);
        return path;
    }
}
