using System.Diagnostics;
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
        _lab.Commit("Slower", 110);
        var agent = await StartAsync();
        var tools = (await agent.AskAsync("tools/list"))["result"]!["tools"]!.AsArray();
        tools.Select(tool => (string?)tool!["name"]).ShouldBe(["compare", "explain", "bisect", "diff"]);

        var (first, isError) = await agent.CallAsync("compare", ("target", "behaving"), ("base", "begin"), ("head", "."), ("rounds", "0+20"));
        isError.ShouldBeFalse(first);
        first.ShouldMatch(@" is [0-9.]+( %|x) slower");
        first.ShouldContain("look 1 of this working tree against this base: it may spend 0.5 % of the 1 % that all looks share");

        var (second, _) = await agent.CallAsync("compare", ("target", "behaving"), ("base", "begin"), ("head", "."), ("rounds", "0+20"));
        second.ShouldContain("look 2 of this working tree against this base: it may spend 0.1667 % of the 1 % that all looks share");
        (await agent.CallAsync("compare", ("target", "behaving"), ("base", "main"), ("head", "."), ("rounds", "0+20"))).Text.ShouldContain("look 1 of");

        // Another agent in the same tree goes on where this one was.
        var other = await StartAsync();
        (await other.CallAsync("compare", ("target", "behaving"), ("base", "begin"), ("head", "."), ("rounds", "0+20"))).Text.ShouldContain("look 3 of");
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

    [Theory]
    [InlineData("compare", "warm-up", "0", "--warm-up: 0 would measure a program that is starting")]
    [InlineData("compare", "sdk", "newest", "--sdk: 'newest' is none of its values")]
    [InlineData("diff", "sdk", "newest", "--sdk: 'newest' is none of its values")]
    public async Task what_an_answer_advises_is_an_argument(string tool, string name, string value, string what)
    {
        var agent = await StartAsync();
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
        var agent = await StartAsync();
        var (text, isError) = await agent.CallAsync(tool, [.. arguments.Chunk(2).Select(pair => (pair[0], pair[1]))]);
        (isError, text).ShouldBe((true, what));
        Directory.Exists(_lab.At(".perf-lab/sessions")).ShouldBeFalse();
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
        var agent = new Agent(Process.Start(Server())!);
        _agents.Add(agent);
        if (isIntroduced)
        {
            await agent.IntroduceAsync();
        }

        return agent;
    }

    /// <summary>
    /// The program's own output folder, as it is shipped: beside the tests lie assemblies of a web server, which hide what it would lack.
    /// </summary>
    private ProcessStartInfo Server()
    {
        var beside = AppContext.BaseDirectory.Replace("PerfLab.Runner.Tests", "PerfLab.Runner", StringComparison.Ordinal);
        var program = new[] { beside, beside.Replace("/tests/PerfLab.Runner/", "/runner/PerfLab.Runner/", StringComparison.Ordinal) }
            .Select(folder => Path.Combine(folder, "perf-lab.dll")).First(File.Exists);
        return new("dotnet", ["exec", program, "mcp"])
        {
            WorkingDirectory = _lab.At(""),
            UseShellExecute = false,
            RedirectStandardError = true,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            Environment = { ["PERF_LAB_ROOT"] = _lab.At(""), ["TMPDIR"] = _lab.At("") },
        };
    }
}
