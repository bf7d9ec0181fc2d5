using System.Text.Json.Nodes;
using PerfLab.Runner.Tests.Commits;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>`mcp` as an agent sees it: the real program over its standard input and output, lines of JSON.</summary>
[Collection("sessions")]
public sealed class AgentDoorTests : IDisposable
{
    private readonly CommittedLab _lab = new();
    private readonly List<Agent> _agents = [];

    public void Dispose()
    {
        _agents.ForEach(agent => agent.Dispose());
        _lab.Dispose();
    }

    [Fact]
    public async Task an_agent_measures_its_working_tree_and_its_looks_share_one_error()
    {
        Nightly.Only("a minute");
        const string Rounds = "0+20";
        _lab.Commit("Slower", 110);
        var agent = await StartAsync();
        var tools = (await agent.AskAsync("tools/list"))["result"]!["tools"]!.AsArray();
        tools.Select(tool => (string?)tool!["name"]).ShouldBe(["compare", "explain", "bisect", "diff"]);

        var (first, isError) = await CompareAsync(agent, "begin");
        isError.ShouldBeFalse(first);
        first.ShouldMatch(@" is [0-9.]+( %|x) slower");
        first.ShouldContain("look 1 of this working tree against this base: it may spend 0.5 % of the 1 % that all looks share");

        // Another agent in the same tree goes on where this one was.
        var other = await StartAsync();
        (await CompareAsync(other, "begin")).Text.ShouldContain(
            "look 2 of this working tree against this base: it may spend 0.1667 % of the 1 % that all looks share");
        (await CompareAsync(agent, "main")).Text.ShouldContain("look 1 of");
        (await CompareAsync(agent, "begin")).Text.ShouldContain("look 3 of");

        Task<(string Text, bool IsError)> CompareAsync(Agent who, string @base) =>
            who.CallAsync("compare", ("target", "behaving"), ("base", @base), ("head", "."), ("rounds", Rounds));
    }

    /// <summary>How often it would happen in a hundred such runs is counted in <see cref="Steps.TreeLooksTests"/>, on drawn differences.</summary>
    [Fact]
    public async Task thirty_edits_of_which_none_helps_are_thirty_looks_and_none_is_called_better()
    {
        Nightly.Only("a minute");
        const string Noise = "$((99950 + $(od -An -N1 -tu1 /dev/urandom) % 101))e-3";
        _lab.Commit("Noise", Noise);
        _lab.Git("tag", "noise");
        var agent = await StartAsync();
        for (var edit = 1; edit <= 30; edit++)
        {
            _lab.Commit($"Edit {edit}", Noise);
            var (text, isError) = await agent.CallAsync("compare", ("target", "behaving"), ("base", "noise"), ("head", "."), ("rounds", "0+20"));
            isError.ShouldBeFalse(text);
            text.ShouldContain($"look {edit} of this working tree against this base");
            text.ShouldNotContain(" faster");
        }
    }

    [Fact]
    public async Task a_link_that_leads_out_of_the_repository_is_outside_of_it()
    {
        File.CreateSymbolicLink(_lab.At("out"), Path.GetTempPath());
        var agent = await StartAsync();
        (await agent.CallAsync("explain", ("session", "out/session"))).Text.ShouldBe("session: `out/session` is outside of the repository");
    }

    [Fact]
    public async Task a_message_of_ten_megabytes_no_message_at_all_and_a_call_too_early_get_an_answer_and_the_next_one_works()
    {
        var agent = await StartAsync(isIntroduced: false);
        var early = await agent.AskAsync("tools/call", new JsonObject { ["name"] = "diff", ["arguments"] = new JsonObject() });
        ((string?)early["error"]?["message"]).ShouldBe("initialize comes before the first call");
        var tooLong = await agent.AskAsync("tools/list", new JsonObject { ["cursor"] = new string('x', 10 << 20) });
        ((string?)tooLong["error"]?["message"]).ShouldNotBeNull().ShouldContain("a message has at most 1 MiB");
        await agent.SayAsync(new string('x', 10 << 20));
        await agent.SayAsync("{\"jsonrpc\":\"2.0\",");
        await agent.SayAsync("[]");
        await agent.IntroduceAsync();
        (await agent.AskAsync("tools/list"))["result"].ShouldNotBeNull();
    }

    [Fact]
    public async Task a_call_that_is_cancelled_ends_its_launches_and_was_a_look_all_the_same()
    {
        _lab.Commit("Slow", "$(touch \"$PERF_LAB_RESULT.begun\"; sleep 600; echo 100)");
        var agent = await StartAsync();
        var call = agent.Begin("tools/call", Agent.Call("compare", ("target", "behaving"), ("base", "begin"), ("head", "."), ("rounds", "0+20")));
        await UntilAsync(() => Sleepers(agent.Pid) > 0);

        await agent.SayAsync(new JsonObject
        {
            ["jsonrpc"] = "2.0",
            ["method"] = "notifications/cancelled",
            ["params"] = new JsonObject { ["requestId"] = call },
        }.ToJsonString());

        await UntilAsync(() => Sleepers(agent.Pid) == 0);
        (await agent.AskAsync("tools/list"))["result"].ShouldNotBeNull("the server goes on");
        Directory.GetFiles(_lab.At(".perf-lab/looks")).ShouldHaveSingleItem();
    }

    /// <summary>Programs named sleep among what the process started, directly or not.</summary>
    private static int Sleepers(int pid)
    {
        var parents = Directory.GetDirectories("/proc").Select(Path.GetFileName).Where(name => int.TryParse(name, out _))
            .Select(name => (Id: int.Parse(name!, System.Globalization.CultureInfo.InvariantCulture), Stat: Read($"/proc/{name}/stat")))
            .Where(one => one.Stat.Contains(") ", StringComparison.Ordinal))
            .ToDictionary(one => one.Id, one => (
                Parent: int.Parse(one.Stat[(one.Stat.LastIndexOf(')') + 2)..].Split(' ')[1], System.Globalization.CultureInfo.InvariantCulture),
                IsSleep: one.Stat.Contains("(sleep)", StringComparison.Ordinal)));
        return parents.Count(one => one.Value.IsSleep && Ancestors(one.Key).Contains(pid));

        IEnumerable<int> Ancestors(int id)
        {
            while (parents.TryGetValue(id, out var known) && known.Parent > 0)
            {
                yield return id = known.Parent;
            }
        }

        static string Read(string path)
        {
            try
            {
                return File.ReadAllText(path);
            }
            catch (IOException)
            {
                return ""; // it ended meanwhile
            }
        }
    }

    private static async Task UntilAsync(Func<bool> isSo)
    {
        for (var look = 0; look < 3000 && !isSo(); look++)
        {
            await Task.Delay(10, TestContext.Current.CancellationToken);
        }

        isSo().ShouldBeTrue();
    }

    private async Task<Agent> StartAsync(bool isIntroduced = true)
    {
        var agent = Agent.Start(_lab);
        _agents.Add(agent);
        if (isIntroduced)
        {
            await agent.IntroduceAsync();
        }

        return agent;
    }
}
