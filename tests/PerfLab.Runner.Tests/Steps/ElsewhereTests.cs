using PerfLab.Core.Model;
using PerfLab.Machine.Facts;
using PerfLab.Programs;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Tests.Execution;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>Launches run in a cluster, so nobody waits for the lab's own machine, and no policy refuses it.</summary>
public sealed class ElsewhereTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("elsewhere-");
    private readonly StringWriter _said = new();

    public void Dispose()
    {
        _said.Dispose();
        _folder.Delete(recursive: true);
    }

    /// <summary>What metal asks for is on no machine that runs tests: measured here, it is refused.</summary>
    [Fact]
    public async Task a_machine_on_which_nothing_is_measured_need_not_be_fit()
    {
        (await Should.ThrowAsync<LabException>(() => ReadyAsync(measuresHere: true))).Tried.ShouldContain("under the policy metal");

        await using var ready = await ReadyAsync(measuresHere: false);

        (ready.Policy, ready.Found.Facts["policy"]!.ToString()).ShouldBe((HygienePolicy.Any, "any"));
        _said.ToString().Trim().ShouldBe("--policy metal is about this machine, where nothing is measured: it is not applied");
    }

    private async Task<ReadyMachine> ReadyAsync(bool measuresHere)
    {
        _said.GetStringBuilder().Clear();
        var terminal = new Terminal { Out = _said, Error = _said, Root = _folder.FullName, WorkingFolder = _folder.FullName };
        using var launcher = new FakeLauncher { MeasuresHere = measuresHere };
        using var session = new SessionFixture((0, 13));
        return await new MeasureStep(Flow.Lab.Open(terminal), launcher, HygienePolicy.Metal, new WaitBudget(terminal, TimeSpan.Zero))
            .ReadyAsync(session.Plan, new(session.Builds), TestContext.Current.CancellationToken);
    }
}
