using PerfLab.Building.Manifests;
using PerfLab.Programs;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Tests.Commands;

namespace PerfLab.Runner.Tests.Execution;

public sealed class ExecutorsTests : IDisposable
{
    private readonly LabFixture _lab = new();
    private readonly StringWriter _said = new();

    [Fact]
    public async Task which_one_is_taken_is_said_once_and_not_for_a_look_before_anything_is_planned()
    {
        var terminal = new Terminal { Out = TextWriter.Null, Error = _said, Root = _lab.Root, WorkingFolder = _lab.Root };
        var executors = new Executors(LabConfig.Read(_lab.Root, []).ShouldNotBeNull(), terminal);
        await (await executors.ChooseSilentlyAsync("kubernetes", TestContext.Current.CancellationToken)).DisposeAsync();
        _said.ToString().ShouldBeEmpty();

        for (var time = 0; time < 2; time++)
        {
            await (await executors.ChooseAsync("kubernetes", TestContext.Current.CancellationToken)).DisposeAsync();
        }

        _said.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries).ShouldHaveSingleItem().ShouldStartWith("executor: kubernetes");
    }

    public void Dispose()
    {
        _said.Dispose();
        _lab.Dispose();
    }
}
