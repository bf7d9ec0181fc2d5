using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using PerfLab.Core.Model;
using PerfLab.Programs;
using PerfLab.Runner.Tests.Azure;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Tests.Steps;

public sealed partial class MachineLockTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("machine-lock-");

    private string Path => System.IO.Path.Combine(_folder.FullName, "machine.lock");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void a_lock_that_is_held_names_itself_and_is_free_afterwards()
    {
        using (MachineLock.Take(Path))
        {
            Refused(Path).CameBack.ShouldBe($"machine busy: another perf-lab session (process {Environment.ProcessId}) holds {Path}", "the kernel knows who, note or not");
        }

        Should.NotThrow(() => MachineLock.Take(Path).Dispose());
    }

    /// <summary>A program that this process starts has every open file from its fork to its exec; a second descriptor plays it.</summary>
    [Fact]
    public void it_is_free_although_a_program_that_is_being_started_has_the_file_open_still()
    {
        var held = MachineLock.Take(Path);
        var file = Directory.GetFiles("/proc/self/fd").Single(open => new FileInfo(open).LinkTarget == Path);
        using var inherited = Duplicate(int.Parse(System.IO.Path.GetFileName(file)));
        held.Dispose();
        Should.NotThrow(() => MachineLock.Take(Path).Dispose());
        held.Dispose();
    }

    [Fact]
    public void whoever_holds_it_is_named_and_leaves_no_name_behind()
    {
        using (MachineLock.Take(Path, $"process {Environment.ProcessId}, since 09:30 UTC, about 40 min of measuring"))
        {
            Refused(Path).CameBack.ShouldBe($"machine busy: another perf-lab session (process {Environment.ProcessId}, since 09:30 UTC, about 40 min of measuring) holds {Path}");
        }

        using (MachineLock.Take(Path, $"process {Environment.ProcessId}, x"))
        {
            Refused(Path).CameBack.ShouldBe($"machine busy: another perf-lab session (process {Environment.ProcessId}, x) holds {Path}");
        }
    }

    [Fact]
    public void a_note_of_a_process_whose_number_begins_alike_is_not_the_holders()
    {
        using var held = MachineLock.Take(Path, $"process {Environment.ProcessId}3, since 09:30 UTC");
        Refused(Path).CameBack.ShouldBe($"machine busy: another perf-lab session (process {Environment.ProcessId}) holds {Path}");
    }

    [Fact]
    public void what_a_stranger_wrote_into_the_lock_can_not_draw_on_the_terminal()
    {
        using (MachineLock.Take(Path, $"process {Environment.ProcessId}\u001b[31mred\n" + new string('x', 5000)))
        {
            var back = Refused(Path).CameBack;
            back.ShouldContain($"(process {Environment.ProcessId} [31mred x");
            back.Length.ShouldBeLessThan(400);
        }
    }

    [Fact]
    public async Task one_who_waits_gets_it_when_it_is_free_and_is_told_once_for_what()
    {
        var said = new StringWriter();
        var clock = FakeTimeProvider.AtTheStart();
        var held = MachineLock.Take(Path, $"process {Environment.ProcessId}");
        var waits = Task.Run(() => WaitAsync(clock, said, TimeSpan.FromMinutes(5)));
        var holds = Task.Run(async () =>
        {
            await Task.Delay(TimeSpan.FromSeconds(25), clock);
            held.Dispose();
        });

        await clock.RunAsync([waits, holds]);
        (await waits).Dispose();

        (clock.GetUtcNow() - FakeTimeProvider.AtTheStart().GetUtcNow()).TotalSeconds.ShouldBe(30);
        said.ToString().ShouldBe($"waiting, at most 5 min: machine busy: another perf-lab session (process {Environment.ProcessId}) holds {Path}{Environment.NewLine}");
    }

    [Fact]
    public async Task who_waited_first_is_next_whoever_looks_first()
    {
        var clock = FakeTimeProvider.AtTheStart();
        var order = new List<string>();
        var held = MachineLock.Take(Path, $"process {Environment.ProcessId}");
        var first = WaitsAsync("first", after: 0);
        var second = WaitsAsync("second", after: 5); // looks at 15 s, and the first only at 20 s
        var holds = Task.Run(async () =>
        {
            await Task.Delay(TimeSpan.FromSeconds(12), clock);
            held.Dispose();
        });

        await clock.RunAsync([first, second, holds]);
        order.ShouldBe(["first", "second"]);
        Directory.EnumerateFiles(_folder.FullName, "*.waits-*").ShouldBeEmpty();

        async Task WaitsAsync(string name, int after)
        {
            await Task.Delay(TimeSpan.FromSeconds(after), clock);
            using (await WaitAsync(clock, TextWriter.Null, TimeSpan.FromMinutes(5)))
            {
                order.Add(name);
                await Task.Delay(TimeSpan.FromSeconds(1), clock);
            }
        }
    }

    [Fact]
    public void who_does_not_wait_comes_after_all_who_do_and_one_that_died_waits_no_more()
    {
        using (WaitingLine.Join(Path, TimeProvider.System).ShouldNotBeNull())
        {
            Refused(Path).CameBack.ShouldBe("machine busy: another perf-lab session waits for it, and comes first");
        }

        File.WriteAllText(Path + ".waits-00000000000000000001-1-1", ""); // its process died
        Should.NotThrow(() => MachineLock.Take(Path).Dispose());
        Directory.EnumerateFiles(_folder.FullName, "*.waits-*").ShouldBeEmpty();
    }

    [Fact]
    public async Task one_whose_patience_is_over_is_told_who_holds_it()
    {
        var clock = FakeTimeProvider.AtTheStart();
        using var held = MachineLock.Take(Path, $"process {Environment.ProcessId}");

        var over = await Should.ThrowAsync<LabException>(() => clock.RunAsync(() => WaitAsync(clock, TextWriter.Null, TimeSpan.FromSeconds(15))));

        over.CameBack.ShouldContain($"(process {Environment.ProcessId})");
        (clock.GetUtcNow() - FakeTimeProvider.AtTheStart().GetUtcNow()).TotalSeconds.ShouldBe(15);
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
        refusal.DoNext.ShouldStartWith("it belongs to another user, who closed it");
    }

    private async Task<IDisposable> WaitAsync(TimeProvider clock, TextWriter said, TimeSpan most)
    {
        var terminal = new Terminal { Out = TextWriter.Null, Error = said, Root = _folder.FullName, WorkingFolder = _folder.FullName, Clock = clock };
        return await MachineLock.TakeAsync(Path, "", new WaitBudget(terminal, most), CancellationToken.None);
    }

    [LibraryImport("libc", EntryPoint = "dup")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial SafeFileHandle Duplicate(int file);

    private static LabException Refused(string path) => Should.Throw<LabException>(() => MachineLock.Take(path).Dispose());
}
