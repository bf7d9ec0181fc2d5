using PerfLab.Programs;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Tests.Execution;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>Interrupted after the builds and before the first launch, where a wait for a quiet machine or a free node can take an hour.</summary>
public sealed class InterruptedReadyTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("interrupted-");
    private readonly StringWriter _said = new();

    public void Dispose()
    {
        _said.Dispose();
        _folder.Delete(recursive: true);
    }

    [Theory]
    [InlineData(true, "interrupted while the machine was made ready; go on with `./perf-lab run --resume session`")]
    [InlineData(false, "")]
    public async Task it_is_told_how_to_go_on_unless_somebody_else_tells(bool tells, string said)
    {
        var terminal = new Terminal { Out = _said, Error = _said, Root = _folder.FullName, WorkingFolder = _folder.FullName };
        using var launcher = new FakeLauncher { Place = () => throw new OperationCanceledException() };
        using var session = new SessionFixture((0, 13));
        using var folder = SessionFolder.Open(Path.Combine(_folder.FullName, "session"));
        await File.WriteAllTextAsync(folder.Plan, "{}", TestContext.Current.CancellationToken);

        await Should.ThrowAsync<OperationCanceledException>(() => new MeasureStep(Flow.Lab.Open(terminal), launcher) { TellsInterruption = tells }
            .RunAsync(session.Plan, new(session.Builds), folder, TestContext.Current.CancellationToken));

        _said.ToString().Trim().ShouldBe(said);
    }
}
