using PerfLab.Runner.Tests.Commits;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>What `mcp` refuses before anything runs. One server answers all of it: each would take longer to start than to ask.</summary>
public sealed class AgentRefusalTests(OneDoor door) : IClassFixture<OneDoor>
{
    [Theory]
    [InlineData("compare", "warm-up", "0", "--warm-up: 0 would measure a program that is starting")]
    [InlineData("compare", "sdk", "newest", "--sdk: 'newest' is none of its values")]
    [InlineData("diff", "sdk", "newest", "--sdk: 'newest' is none of its values")]
    public async Task what_an_answer_advises_is_an_argument(string tool, string name, string value, string what)
    {
        var agent = await door.AgentAsync();
        (await agent.CallAsync(tool, ("target", "behaving"), ("base", "begin"), ("head", "."), (name, value))).Text.ShouldContain(what);
    }

    [Theory]
    [InlineData("compare", "head is missing", "target", "behaving", "base", "begin")]
    [InlineData("compare", "target: `../elsewhere` is outside of the repository", "target", "../elsewhere", "base", "begin", "head", ".")]
    [InlineData("compare", "head: `source=/etc` is outside of the repository", "target", "behaving", "base", "begin", "head", "source=/etc")]
    [InlineData("compare", "target must not begin with -", "target", "--out=x", "base", "begin", "head", ".")]
    [InlineData("compare", "base must not begin with @", "target", "behaving", "base", "@file", "head", ".")]
    [InlineData("compare", "base must be one line of text", "target", "behaving", "base", "a\nb", "head", ".")]
    [InlineData("compare", "compare has no `out`", "target", "behaving", "base", "begin", "head", ".", "out", "x")]
    [InlineData("delete", "there is no tool `delete`; there are compare, explain, bisect, diff")]
    [InlineData("explain", "session: `/tmp` is outside of the repository", "session", "/tmp")]
    public async Task what_no_call_may_say_is_refused_and_nothing_runs(string tool, string what, params string[] arguments)
    {
        var agent = await door.AgentAsync();
        var (text, isError) = await agent.CallAsync(tool, [.. arguments.Chunk(2).Select(pair => (pair[0], pair[1]))]);
        (isError, text).ShouldBe((true, what));
        Directory.Exists(door.Lab.At(".perf-lab/sessions")).ShouldBeFalse();
    }
}

/// <summary>A server for all tests of a class, which start nothing that lasts.</summary>
public sealed class OneDoor : IDisposable
{
    private Agent? _agent;

    internal CommittedLab Lab { get; } = new();

    public void Dispose()
    {
        _agent?.Dispose();
        Lab.Dispose();
    }

    internal async Task<Agent> AgentAsync()
    {
        if (_agent is null)
        {
            _agent = Agent.Start(Lab);
            await _agent.IntroduceAsync();
        }

        return _agent;
    }
}
