using System.Globalization;
using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Launching;
using PerfLab.Launching.Processes;

namespace PerfLab.Runner.Tests.Execution.Processes;

/// <summary>Rounds of two shell scripts that take turns as commands do, in a folder of their own.</summary>
public sealed class CommandRounds : IAsyncDisposable
{
    /// <summary>Works for half a second of its own, or for ever.</summary>
    public const string Half = "exec perl -e '1 while (times)[0] < 0.5'", Endless = "while :; do :; done";

    private readonly DirectoryInfo _root = Directory.CreateTempSubdirectory("perf-lab-test-");

    public CommandRounds() => Launcher = NewLauncher(TimeProvider.System);

    public static IReadOnlyList<IReadOnlyList<int>> Order { get; } = [[0, 1], [1, 0], [1, 0], [0, 1]];

    public CommandLauncher Launcher { get; }

    public string Root => _root.FullName;

    public CommandLauncher NewLauncher(TimeProvider clock) => new([new("PATH", "/usr/bin:/bin")], clock, Root);

    public Task<TurnsEnd> RunAsync(string first, string second) => RunAsync(Round(first, second));

    public Task<TurnsEnd> RunAsync(TurnsSpec round) => Launcher.LaunchInTurnsAsync(round, TestContext.Current.CancellationToken);

    public TurnsSpec Round(string first, string second) =>
        new([Arm("arm0.sh", first), Arm("arm1.sh", second)], ["base", "head"], Order);

    public TurnsSpec Round(string first, string second, Func<LaunchSpec, LaunchSpec> change) =>
        Round(first, second) is var round ? round with { Arms = [.. round.Arms.Select(change)] } : throw new InvalidOperationException();

    /// <summary>Three that do the same.</summary>
    public TurnsSpec RoundOfThree(string each) =>
        new([.. Enumerable.Range(0, 3).Select(place => Arm($"arm{place}.sh", each))], ["base", "head", "third"], Order);

    public string At(string name) => Path.Combine(Root, name);

    /// <summary>Whether a script has written a line into it.</summary>
    public bool HasText(string file) => File.Exists(At(file)) && File.ReadAllText(At(file)).EndsWith('\n');

    /// <summary>The process whose number a script wrote into it.</summary>
    public bool IsRunning(string file) => ScriptFixture.IsRunning(int.Parse(File.ReadAllText(At(file)), CultureInfo.InvariantCulture));

    public static async Task UntilAsync(Func<bool> isSo)
    {
        for (var look = 0; look < 1000 && !isSo(); look++)
        {
            await Task.Delay(10, TestContext.Current.CancellationToken);
        }

        isSo().ShouldBeTrue();
    }

    public async ValueTask DisposeAsync()
    {
        await Launcher.DisposeAsync();
        _root.Delete(recursive: true);
    }

    private LaunchSpec Arm(string name, string script)
    {
        File.WriteAllText(At(name), "#!/bin/sh\n" + script + "\n");
        Executable.Make(At(name));
        return new()
        {
            Session = "test",
            Build = new Build("sha256:test", Root, NeedsShell: false),
            Command = ["./" + name],
            Environment = [],
            Resources = new Resources(1, 1 << 20, 1),
            Timeout = TimeSpan.FromSeconds(20),
            Turns = new TurnPlan(5, 0.04) { ByClock = true },
        };
    }
}
