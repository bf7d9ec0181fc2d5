using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Programs;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Tests.Execution;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>Shards of one plan on nodes of a cluster: as many at once as there are nodes. The real cluster: ClusterPlaceTests.</summary>
public sealed class NodesStepTests : IDisposable
{
    private const string None = "it did not run within 1 s: no node takes its pod: 0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules.";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nodes-");
    private readonly SessionFixture _session = new((0, 5), cells: 4);
    private readonly StringWriter _said = new();
    private readonly List<FakeLauncher> _launchers = [];
    private readonly RunPlan _plan;

    public NodesStepTests() => _plan = Shards.Split(_session.Plan, 4);

    public void Dispose()
    {
        _launchers[0].Dispose(); // those of other nodes were the step's
        _session.Dispose();
        _said.Dispose();
        _folder.Delete(recursive: true);
    }

    [Fact]
    public async Task two_nodes_measure_at_once_and_it_is_said_that_there_is_no_third()
    {
        using var both = new Barrier(2);
        await MeasureAsync(asked: 3, nodes: 2, (_, number) => AtOnce(both, number));

        _launchers.Take(2).ShouldAllBe(launcher => launcher.Launched.Count >= 10);
        _launchers[2].Launched.ShouldBeEmpty();
        _said.ToString().ShouldContain($"2 of 3 nodes, there is no more: {None}");
    }

    [Fact]
    public async Task a_cluster_with_one_node_measures_one_shard_after_the_other()
    {
        var shards = await MeasureAsync(asked: 2, nodes: 1, (_, _) => null);

        ShardLines.Of(shards[0] with { Shards = shards }).ShouldAllBe(line => line.Value.StartsWith("CPU of n1, node n1, fake, "));
        _launchers.Select(launcher => launcher.Launched.Count).ShouldBe([40, 0]);
        _said.ToString().ShouldContain($"1 of 2 nodes, there is no more: {None}");
    }

    [Fact]
    public async Task the_shard_of_a_node_that_is_gone_goes_on_on_another_and_nothing_is_lost()
    {
        using var both = new Barrier(2);
        await MeasureAsync(asked: 2, nodes: 2, (node, number) => node == 1 && number == 3 ? throw NoPlace() : AtOnce(both, number));

        _launchers[1].Launched.Count.ShouldBe(3);
        _said.ToString().ShouldContain($"node 2 is gone: {None}; shard ");
    }

    [Fact]
    public async Task without_any_node_nothing_is_measured()
    {
        (await Should.ThrowAsync<NoPlaceException>(() => RunAsync(asked: 2, nodes: 0, (_, _) => null))).CameBack.ShouldBe(None);
        _launchers.ShouldHaveSingleItem().Launched.ShouldBeEmpty();
    }

    [Fact]
    public async Task when_the_last_node_is_gone_the_command_ends_and_the_same_one_goes_on()
    {
        await Should.ThrowAsync<NoPlaceException>(() => RunAsync(asked: 2, nodes: 1, (_, number) => number == 15 ? throw NoPlace() : null));
        _launchers[0].Dispose();
        _launchers.Clear();
        await MeasureAsync(asked: 2, nodes: 1, (_, _) => null);
        _launchers[0].Launched.Count.ShouldBe(40 - 15 + 1, "a half round begins anew, whole");
    }

    /// <summary>The first launches on two nodes wait for each other; a node that is alone is told by a crash.</summary>
    private static FakeEnd? AtOnce(Barrier both, int number) =>
        number > 0 || both.SignalAndWait(TimeSpan.FromSeconds(10)) ? null : new FakeEnd(Value: null, ExitCode: 1);

    private static NoPlaceException NoPlace() => new("finding a node", None, "wait");

    /// <summary>All shards are complete then.</summary>
    private async Task<IReadOnlyList<SampleSet>> MeasureAsync(int asked, int nodes, Func<int, int, FakeEnd?> script)
    {
        var journals = await RunAsync(asked, nodes, script);
        var shards = journals.Select(path => JournalReader.Read(File.ReadAllBytes(path)).Samples.ShouldNotBeNull()).ToList();
        shards.Select(shard => (shard.Header.Shard, shard.Complete, shard.Header.Cells.Count)).ShouldBe([(1, true, 1), (2, true, 1), (3, true, 1), (4, true, 1)]);
        return shards;
    }

    private async Task<IReadOnlyList<string>> RunAsync(int asked, int nodes, Func<int, int, FakeEnd?> script)
    {
        var error = TextWriter.Synchronized(_said);
        var terminal = new Terminal { Out = error, Error = error, Root = _folder.FullName, WorkingFolder = _folder.FullName };
        FakeLauncher Next()
        {
            lock (_launchers)
            {
                var node = _launchers.Count;
                _launchers.Add(new()
                {
                    MeasuresHere = false,
                    Place = () => node < nodes ? null : NoPlace(),
                    Script = (number, _) => script(node, number),
                    Outside = () => new() { ["node"] = $"n{node + 1}", ["cpuModel"] = $"CPU of n{node + 1}" },
                });
                return _launchers[^1];
            }
        }

        return await new NodesStep(Flow.Lab.Open(terminal), Next(), Next, null, new WaitBudget(terminal, TimeSpan.Zero))
            .RunAsync(_plan, new(_session.Builds), asked, Path.Combine(_folder.FullName, "out"), TestContext.Current.CancellationToken);
    }
}
