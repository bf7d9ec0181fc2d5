using PerfLab.Core.Model;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Tests.Steps;

public sealed class MachineLockTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("machine-lock-");

    private string Path => System.IO.Path.Combine(_folder.FullName, "machine.lock");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void a_lock_that_is_held_names_itself_and_is_free_afterwards()
    {
        using (MachineLock.Take(Path))
        {
            Refused(Path).CameBack.ShouldBe($"machine busy: another perf-lab session holds {Path}");
        }

        Should.NotThrow(() => MachineLock.Take(Path).Dispose());
    }

    [Fact]
    public void a_lock_that_can_not_be_made_is_not_called_busy()
    {
        var refusal = Refused(System.IO.Path.Combine(_folder.FullName, "missing", "machine.lock"));
        refusal.CameBack.ShouldStartWith("the lock that keeps sessions apart can't be made: ");
        refusal.CameBack.ShouldContain("missing/machine.lock");
        refusal.DoNext.ShouldContain("TMPDIR");
        Refused(_folder.FullName).CameBack.ShouldStartWith("the lock that keeps sessions apart can't be made: ", customMessage: "a folder is in its place");
        MachineLock.Refusal(Path, new IOException("No space left on device", 28)).CameBack.ShouldBe("the lock that keeps sessions apart can't be made: No space left on device");
    }

    [Fact]
    public void a_lock_of_another_user_says_whose_it_is_to_remove()
    {
        // Made by hand: root, as whom these tests may run, can open every file.
        File.WriteAllText(Path, "");
        var refusal = MachineLock.Refusal(Path, new UnauthorizedAccessException($"Access to the path '{Path}' is denied."));
        refusal.CameBack.ShouldBe($"the lock that keeps sessions apart can't be opened: Access to the path '{Path}' is denied.");
        refusal.DoNext.ShouldStartWith("it belongs to another user");
    }

    private static LabException Refused(string path) => Should.Throw<LabException>(() => MachineLock.Take(path).Dispose());
}
