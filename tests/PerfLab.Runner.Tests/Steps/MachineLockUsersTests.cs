using System.Diagnostics;
using PerfLab.Core.Model;
using PerfLab.Runner.Tests.MachineContent;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>
/// Two real users of one machine, in a folder like /tmp: this process, which is root, and the same program once more as nobody. Nothing is
/// played.
/// </summary>
public sealed class MachineLockUsersTests : IDisposable
{
    private const string Shared = "PERF_LAB_TEST_LOCK", Says = "PERF_LAB_TEST_LOCK_SAYS", Nobody = "65534";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("machine-lock-");

    public MachineLockUsersTests() => File.SetUnixFileMode(_folder.FullName, (UnixFileMode)0b1_111_111_111);

    private string Path => System.IO.Path.Combine(_folder.FullName, "machine.lock");

    public void Dispose() => _folder.Delete(recursive: true);

    /// <summary>Run by the others here, as the second user.</summary>
    [Fact]
    public void the_second_user()
    {
        var path = Environment.GetEnvironmentVariable(Shared);
        Assert.SkipWhen(path is null, "started by the other tests of this class, as another user");
        var said = "";
        try
        {
            using var held = MachineLock.Take(path, MachineLock.HolderNow(TimeProvider.System, "a test"));
        }
        catch (LabException refused)
        {
            said = refused.CameBack;
        }

        Environment.GetEnvironmentVariable(Says).ShouldBe(said);
    }

    [Fact]
    public async Task each_takes_it_in_turn_and_is_told_whose_it_is()
    {
        Shell.NeedRoot();
        using (MachineLock.Take(Path, $"process {Environment.ProcessId}, since 09:30 UTC"))
        {
            await SecondAsync($"machine busy: another perf-lab session, of the user root (process {Environment.ProcessId}, since 09:30 UTC) holds {Path}");
        }

        if (Nightly.IsAsked)
        {
            await SecondAsync("");
        }

        MachineLock.Take(Path).Dispose();
        File.Delete(Path);
        await SecondAsync(""); // now it is the other's file
        MachineLock.Take(Path).Dispose();
        if (Nightly.IsAsked)
        {
            await SecondAsync("");
        }
    }

    [Fact]
    public async Task a_note_that_another_left_is_not_taken_for_the_holders()
    {
        Nightly.Only("10 seconds");
        Shell.NeedRoot();
        using var held = MachineLock.Take(Path);
        File.Delete(Path + ".holder");
        File.WriteAllText(Path + ".holder", "process 1, since 09:30 UTC, a lie");
        await SecondAsync($"machine busy: another perf-lab session, of the user root (process {Environment.ProcessId}) holds {Path}");
    }

    [Fact]
    public void what_lies_in_its_place_is_neither_followed_nor_waited_for_nor_changed()
    {
        var precious = System.IO.Path.Combine(_folder.FullName, "precious");
        File.WriteAllText(precious, "mine");
        File.CreateSymbolicLink(Path, precious);
        Should.Throw<LabException>(() => MachineLock.Take(Path).Dispose()).CameBack.ShouldContain("is a link");
        File.Delete(Path);

        File.CreateSymbolicLink(Path + ".holder", precious);
        MachineLock.Take(Path, "process 1").Dispose();
        File.ReadAllText(precious).ShouldBe("mine");
        File.Delete(Path);

        using (var fifo = Process.Start("mkfifo", ["-m", "444", Path]))
        {
            fifo.WaitForExit();
        }

        MachineLock.Take(Path).Dispose(); // does not hang
    }

    [Fact]
    public void a_lock_whose_file_was_removed_is_held_by_nobody_who_comes_later_only()
    {
        using (MachineLock.Take(Path))
        {
            File.Delete(Path);
            using var second = MachineLock.Take(Path);
            Should.Throw<LabException>(() => MachineLock.Take(Path).Dispose()).CameBack.ShouldStartWith("machine busy");
        }
    }

    [Fact]
    public async Task a_narrow_umask_closes_it_to_nobody()
    {
        Shell.NeedRoot();
        await SecondAsync("", umask: "077");
        File.GetUnixFileMode(Path).ShouldBe((UnixFileMode)0b110_100_100);
    }

    private async Task SecondAsync(string says, string umask = "022")
    {
        var result = await Shell.RunAsync(
            new ProcessStartInfo("setpriv", [
                "--reuid", Nobody, "--regid", Nobody, "--clear-groups", "sh", "-c", $"umask {umask}; exec \"$@\"", "sh",
                Environment.ProcessPath!, "-method", "*." + nameof(the_second_user),
            ])
            {
                Environment = { [Shared] = Path, [Says] = says, ["HOME"] = _folder.FullName, ["TMPDIR"] = _folder.FullName },
            }, null);
        result.Exit.ShouldBe(0, result.Output);
        result.Output.ShouldContain("Failed: 0, Skipped: 0");
    }
}
