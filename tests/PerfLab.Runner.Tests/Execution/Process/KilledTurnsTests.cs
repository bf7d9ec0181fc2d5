using PerfLab.Runner.Tests.Commands;

namespace PerfLab.Runner.Tests.Execution.Processes;

/// <summary>The real program in a process of its own, killed in the middle of a round in turns: it lets nobody go on any more.</summary>
[Collection("sessions")]
public sealed class KilledTurnsTests : IDisposable
{
    /// <summary>Base, head, and a child of each in a session of its own.</summary>
    private const int Processes = 4;

    // The pilot ends soon. In the round it works until somebody ends it.
    private const string Endless = "#!/bin/sh\n[ -e $0.pilot ] || { touch $0.pilot; exec perl -e '1 while (times)[0] < 0.6'; }\n"
        + "setsid sleep 600 & echo $! >> pids; echo $$ >> pids\nwhile :; do :; done\n";

    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task a_lab_that_is_killed_while_one_side_is_frozen_leaves_no_process_of_either_command()
    {
        AddProgram("base.sh");
        AddProgram("head.sh");
        var wereFrozen = new HashSet<int>();
        using (var runner = _lab.Start("run --command ./head.sh --against ./base.sh --pairing turns --rounds 0+13 --seed 7 --out session"))
        {
            try
            {
                // The watch knows whoever was frozen. At the last look one side is; a round that was void had others.
                await UntilAsync(() =>
                {
                    var all = Pids();
                    var frozen = all.Where(IsFrozen).ToList();
                    wereFrozen.UnionWith(frozen);
                    return frozen.Count > 0 && all.Count % Processes == 0 && all.TakeLast(Processes).All(pid => wereFrozen.Contains(pid));
                }, "base, head and the child of each were not all frozen once");
            }
            finally
            {
                runner.Kill();
                await runner.WaitForExitAsync(TestContext.Current.CancellationToken);
            }
        }

        await UntilAsync(() => !Pids().Any(ScriptFixture.IsRunning), "a process of a command outlived its lab");
    }

    private void AddProgram(string name)
    {
        var file = Path.Combine(_lab.Root, name);
        File.WriteAllText(file, Endless + "# " + name + "\n"); // one program twice would not be launched
        Executable.Make(file);
    }

    /// <summary>Whom the commands wrote down, as far as the line is there in full.</summary>
    private List<int> Pids()
    {
        var file = Path.Combine(_lab.Root, "pids");
        return File.Exists(file) ? [.. File.ReadAllText(file).Split('\n').SkipLast(1).Select(line => int.Parse(line))] : [];
    }

    private static bool IsFrozen(int pid)
    {
        try
        {
            // The state letter comes after the name in brackets.
            return File.ReadAllText($"/proc/{pid}/stat").Split(") ")[^1][0] == 'T';
        }
        catch (IOException)
        {
            return false;
        }
    }

    // A minute: a busy machine takes some seconds to start the program and to look at itself.
    private static async Task UntilAsync(Func<bool> isSo, string otherwise)
    {
        for (var look = 0; look < 6000; look++)
        {
            if (isSo())
            {
                return;
            }

            await Task.Delay(10, TestContext.Current.CancellationToken);
        }

        Assert.Fail(otherwise);
    }
}
