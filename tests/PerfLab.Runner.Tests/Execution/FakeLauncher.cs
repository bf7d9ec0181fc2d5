using System.Globalization;
using System.Text.Json.Nodes;
using PerfLab.Building;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;

namespace PerfLab.Runner.Tests.Execution;

/// <summary>Yields known numbers: each launch writes the result that its script says, without starting anything.</summary>
internal sealed class FakeLauncher : ILauncher, IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("fake-launcher").FullName;

    public List<LaunchSpec> Launched { get; } = [];

    /// <summary>Number of the launch and its specification -> how it ends; null means "measured 100".</summary>
    public Func<int, LaunchSpec, FakeEnd?> Script { get; set; } = (_, _) => null;

    public bool IsReadyAgain { get; set; } = true;

    public string Executor => "fake";

    /// <summary>What is seen of each launch from outside.</summary>
    public Func<JsonObject> Outside { get; init; } = () => [];

    public bool MeasuresHere { get; init; } = true;

    /// <summary>Why there is no place for its launches; null: there is.</summary>
    public Func<NoPlaceException?> Place { get; init; } = () => null;

    public IReadOnlyList<string> Warnings => [];

    public Task<JsonObject> DescribeAsync(CancellationToken cancellationToken) => Task.FromResult(new JsonObject());

    public Task PrepareAsync(IReadOnlyCollection<Build> builds, CancellationToken cancellationToken) => Task.CompletedTask;

    public Task PlaceAsync(RunPlan plan, CancellationToken cancellationToken) =>
        Place() is { } none ? Task.FromException(none) : Task.CompletedTask;

    public Task<bool> WaitUntilReadyAsync(TimeSpan patience, CancellationToken cancellationToken) => Task.FromResult(IsReadyAgain);

    public bool TakesTurns { get; set; } = true;

    /// <summary>Why a round in turns is void; null: it is not.</summary>
    public Func<TurnsSpec, string?> Void { get; set; } = _ => null;

    /// <summary>Why no round can be in turns, as an engine says that pauses nothing; null: it can.</summary>
    public string? Impossible { get; set; }

    public List<TurnsSpec> Rounds { get; } = [];

    public Task<TurnsEnd> LaunchInTurnsAsync(TurnsSpec round, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Rounds.Add(round);
        if (Impossible is { } problem)
        {
            return Task.FromResult(TurnsEnd.NotStarted(round.Arms.Select(_ => "result.json"), problem, "; what to do for turns"));
        }

        return Task.FromResult(new TurnsEnd([.. round.Arms.Select((arm, place) => Taken(arm, place))], Void(round)));
    }

    public Task<LaunchEnd> LaunchAsync(LaunchSpec launch, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return Task.FromResult(Ended(launch, Next(launch), "result.json"));
    }

    private FakeEnd Next(LaunchSpec launch)
    {
        // A script that throws launched nothing.
        var end = Script(Launched.Count, launch) ?? new FakeEnd(100);
        Launched.Add(launch);
        return end;
    }

    private TurnsArm Taken(LaunchSpec arm, int place)
    {
        var end = Next(arm);
        var slices = end.Slices ?? [.. Enumerable.Repeat((end.Value ?? 1) / arm.Turns!.Slices, arm.Turns.Slices)];
        return new(Ended(arm, end, $"result-{place}.json"), end.Broken is null ? new()
        {
            Work = [.. slices.Select(_ => 1.0)],
            Seconds = slices,
            FrozenSeconds = 0,
        } : null, end.Broken);
    }

    private LaunchEnd Ended(LaunchSpec launch, FakeEnd end, string name)
    {
        var file = Path.Combine(_folder, name);
        File.Delete(file);
        if (end.Value is { } value)
        {
            var nonce = launch.Environment.Single(pair => pair.Key == "PERF_LAB_NONCE").Value;
            File.WriteAllText(file, end.Result ?? string.Create(CultureInfo.InvariantCulture,
                $$$"""{"schema":"perf-lab/result/1","nonce":"{{{nonce}}}","measuredSeconds":1,"metrics":{"time":{"value":{{{value}}},"unit":"s"}},"evidence":{{{end.Evidence}}}}"""));
        }

        var report = Path.Combine(_folder, "report.json");
        File.Delete(report);
        if (end.Report is not null)
        {
            File.WriteAllText(report, end.Report);
        }

        return new()
        {
            How = end.How,
            ExitCode = end.ExitCode,
            WallSeconds = 2,
            Tail = end.Tail,
            ResultFile = file,
            Evidence = Outside(),
        };
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    public ValueTask DisposeAsync()
    {
        Dispose();
        return ValueTask.CompletedTask;
    }
}

/// <summary>How a fake launch ends.</summary>
internal sealed record FakeEnd(double? Value = null, EndKind How = EndKind.Exited, int? ExitCode = 0, string Tail = "", string? Result = null, string Evidence = "{}", string? Report = null)
{
    /// <summary>Seconds of each slice, of one unit of work; null: the value, divided equally.</summary>
    public double[]? Slices { get; init; }

    /// <summary>What it did against the protocol of turns.</summary>
    public string? Broken { get; init; }
}
