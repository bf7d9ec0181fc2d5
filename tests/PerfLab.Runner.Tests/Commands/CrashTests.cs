using System.Diagnostics;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>The real program, ended the hard way at a known record of its journal, and gone on with.</summary>
[Collection("sessions")]
public sealed class CrashTests : IDisposable
{
    private const string Session = "run behaving --base time=100 --head time=105 --rounds 0+13 --executor process --seed 7 --out session";
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    /// <summary>Every record with `./perf-lab test --all`; otherwise one in the middle.</summary>
    public static TheoryData<int> Records => Nightly.IsAsked
        ? [.. Enumerable.Range(1, 27)] : [13];

    [Theory]
    [MemberData(nameof(Records))]
    public async Task killed_after_a_record_the_resumed_session_gives_the_same_verdict(int records)
    {
        using (var runner = _lab.Start(Session))
        {
            await WaitForRecordsAsync(records);
            runner.Kill();
            await runner.WaitForExitAsync();
        }

        var (code, _, error) = await _lab.RunAsync("run --resume session --executor process");
        code.ShouldBe(0, error);
        var row = Comparison.File.Read(await File.ReadAllTextAsync(Path.Combine(_lab.Root, "session", "comparison.json"))).Value!.Cells.Single();
        (row.Verdict, row.Rounds).ShouldBe((Verdict.Regressed, 13));
        row.Change!.Value.ShouldBe(0.05, 1e-9);
    }

    [Fact]
    public async Task an_interrupt_ends_with_130_keeps_what_was_measured_and_says_how_to_go_on()
    {
        Nightly.Only("20 seconds: its parts are those of others here");
        (await InterruptedAsync(Session)).ShouldContain("--resume session");
        (await _lab.RunAsync("compare session/samples.ndjson")).Out.ShouldContain("no end record");
        (await _lab.RunAsync("run --resume session --executor process --fail-on regression")).Code.ShouldBe(3);
    }

    [Fact]
    public async Task an_interrupt_while_it_builds_is_gone_on_with_too()
    {
        Nightly.Only("15 seconds");
        using var stop = new CancellationTokenSource();
        _lab.Hears = line =>
        {
            if (line!.StartsWith("build 1 of", StringComparison.Ordinal))
            {
                stop.Cancel();
            }
        };
        var (code, _, said) = await _lab.RunAsync(Session, stop.Token);
        code.ShouldBe(130, said);
        said.ShouldContain("interrupted before anything was measured; go on with `./perf-lab run --resume session`");
        File.Exists(Path.Combine(_lab.Root, "session", "builds.json")).ShouldBeFalse();

        (await _lab.RunAsync("run --resume session --executor process --fail-on regression")).Code.ShouldBe(3);
    }

    [Fact]
    public async Task the_hint_can_be_pasted_whatever_the_folder_is_called_and_however_the_program_was_started()
    {
        Nightly.Only("10 seconds");
        var said = await InterruptedAsync(Session.Replace("--out session", "--out it's-$HOME"), "it's-$HOME", ("PERF_LAB_PROGRAM", "PERF_LAB_ROOT=$PWD ../perf-lab/perf-lab"));
        said.ShouldContain(@"go on with `PERF_LAB_ROOT=$PWD ../perf-lab/perf-lab run --resume 'it'\''s-$HOME'`");
    }

    [Fact]
    public async Task an_interrupted_measure_goes_on_with_the_same_command()
    {
        Nightly.Only("20 seconds");
        var (_, plan, _) = await _lab.RunAsync("plan behaving --base time=100 --head time=105 --rounds 0+13 --seed 7");
        await File.WriteAllTextAsync(Path.Combine(_lab.Root, "plan.json"), plan);
        await _lab.RunAsync("build plan.json --executor process");
        const string Measure = "measure plan.json --executor process --out session";
        (await InterruptedAsync(Measure)).ShouldContain("go on with the same command");

        (await _lab.RunAsync(Measure)).Code.ShouldBe(0);
        (await _lab.RunAsync("compare session/samples.ndjson --fail-on regression")).Code.ShouldBe(3);
    }

    [Fact]
    public async Task a_full_disk_is_a_clear_error_and_what_was_synced_is_readable()
    {
        Assert.SkipUnless(Environment.UserName == "root", "needs root to mount a small file system");
        var small = Directory.CreateDirectory(Path.Combine(_lab.Root, "small")).FullName;
        await _lab.AddMeasuredSessionAsync();
        Mount("-t", "tmpfs", "-o", $"size={RoomForHalfOf("session")}", "tmpfs", small);
        try
        {
            var (code, _, error) = await _lab.RunAsync(Session.Replace("--out session", "--out small"));
            code.ShouldBe(1, error);
            error.ShouldContain("writing the journal");
            error.ShouldContain("No space left on device");
            error.ShouldContain("--resume");
            var compared = await _lab.RunAsync("compare small/samples.ndjson");
            compared.Error.ShouldNotContain("damaged");
            compared.Out.ShouldContain("no end record");
        }
        finally
        {
            await UnmountAsync(small);
        }
    }

    [Fact]
    public async Task a_resumption_with_other_bits_is_refused()
    {
        Nightly.Only("15 seconds");
        using (var runner = _lab.Start(Session))
        {
            await WaitForRecordsAsync(4);
            runner.Kill();
            await runner.WaitForExitAsync();
        }

        var builds = Path.Combine(_lab.Root, "session", "builds.json");
        var text = await File.ReadAllTextAsync(builds);
        var identity = text[text.IndexOf("sha256:", text.IndexOf("\"arms\"", StringComparison.Ordinal), StringComparison.Ordinal)..][..71];
        await File.WriteAllTextAsync(builds, text.Replace(identity, "sha256:" + new string('0', 64)));
        var (code, _, error) = await _lab.RunAsync("run --resume session --executor process");
        code.ShouldBe(1);
        error.ShouldContain("not the same bits");
    }

    /// <summary>What a session that is interrupted after six records says.</summary>
    private async Task<string> InterruptedAsync(string command, string folder = "session", params (string Name, string Value)[] environment)
    {
        using var runner = _lab.Start(command, environment);
        var error = runner.StandardError.ReadToEndAsync();
        await WaitForRecordsAsync(6, folder);
        using (var kill = Process.Start("kill", ["-INT", $"{runner.Id}"]))
        {
            await kill.WaitForExitAsync();
        }

        await runner.WaitForExitAsync();
        runner.ExitCode.ShouldBe(130);
        return await error;
    }

    private async Task WaitForRecordsAsync(int records, string folder = "session")
    {
        var journal = Path.Combine(_lab.Root, folder, "samples.ndjson");
        for (var tries = 0; tries < 6000; tries++)
        {
            if (File.Exists(journal) && CountLines(journal) >= records)
            {
                return;
            }

            await Task.Delay(10);
        }

        throw new TimeoutException($"the journal did not reach {records} records");
    }

    private static int CountLines(string path)
    {
        using var stream = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd().Count(character => character == '\n');
    }

    /// <summary>Bytes, in whole pages, of a session's files with half of its journal.</summary>
    private long RoomForHalfOf(string session) => new DirectoryInfo(Path.Combine(_lab.Root, session)).EnumerateFiles()
        .Where(file => file.Name is "plan.json" or "builds.json" or "lock" or "samples.ndjson")
        .Sum(file => ((file.Name == "samples.ndjson" ? file.Length / 2 : file.Length) + 4095) / 4096 * 4096);

    private static void Mount(params string[] arguments) => Run("mount", arguments).ShouldBe(0);

    // The sandbox of another test may just be copying the mounts, which keeps this one busy for a moment.
    private static async Task UnmountAsync(string folder)
    {
        for (var tries = 0; tries < 50 && Run("umount", folder) != 0; tries++)
        {
            await Task.Delay(100);
        }

        Directory.EnumerateFileSystemEntries(folder).ShouldBeEmpty();
    }

    private static int Run(string program, params string[] arguments)
    {
        using var process = Process.Start(program, arguments);
        process.WaitForExit();
        return process.ExitCode;
    }
}
