using PerfLab.Engine.Tests.Support;
using PerfLab.Launching.Docker;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Engine.Tests.Docker.Engine;

/// <summary>What engines really answer when a container can't be paused, or can't go on: a problem only where it still runs.</summary>
public sealed class ContainerFreezerTests
{
    private const string NoFreezer =
        "Cannot pause container abc: OCI runtime pause failed: unable to freeze: open /sys/fs/cgroup/freezer/freezer.state: no such file";

    [Fact]
    public async Task an_engine_that_can_t_freeze_is_a_problem_in_its_own_words()
    {
        var problem = await AskAsync("pause", "500 Internal Server Error", NoFreezer, isRunning: false, freezer => freezer.Freeze());
        problem.ShouldNotBeNull();
        problem.ShouldContain("OCI runtime pause failed");
    }

    [Theory]
    [InlineData("Container abc is not running")]
    [InlineData("Container abc is already paused")]
    public async Task one_that_has_ended_or_stands_still_already_is_none(string answer) =>
        (await AskAsync("pause", "409 Conflict", answer, isRunning: false, freezer => freezer.Freeze())).ShouldBeNull();

    [Fact]
    public async Task one_that_is_gone_is_none() =>
        (await AskAsync("pause", "404 Not Found", "No such container: abc", isRunning: false, freezer => freezer.Freeze())).ShouldBeNull();

    [Fact]
    public async Task what_runs_and_can_t_go_on_is_a_problem_and_what_has_ended_is_none()
    {
        const string answer = "Container abc is not paused";
        var problem = await AskAsync("unpause", "500 Internal Server Error", answer, isRunning: true, freezer => freezer.Thaw());
        problem.ShouldNotBeNull();
        problem.ShouldContain("is not paused");
        (await AskAsync("unpause", "500 Internal Server Error", answer, isRunning: false, freezer => freezer.Thaw())).ShouldBeNull();
    }

    [Fact]
    public async Task where_nobody_can_read_its_time_it_is_not_paused_at_all()
    {
        var paused = false;
        await using var fake = new FakeEngine(line =>
            line.Contains("/pause", StringComparison.Ordinal) && (paused = true) ? FakeAnswer.Of("204 No Content", "")
            : line.Contains("/json", StringComparison.Ordinal) ? Details(isRunning: true) : null);
        using var engine = new EngineClient(fake.Endpoint);
        new ContainerFreezer(engine, "abc").Freeze()!.ShouldContain("nobody can prove that it stood still");
        paused.ShouldBeFalse();
    }

    private static async Task<string?> AskAsync(
        string call, string status, string message, bool isRunning, Func<ContainerFreezer, string?> ask)
    {
        await using var fake = new FakeEngine(line =>
            line.Contains($"/{call} ", StringComparison.Ordinal) ? FakeAnswer.Of(status, $$"""{"message":"{{message}}" }""")
            : line.Contains("/json", StringComparison.Ordinal) ? Details(isRunning) : null);
        using var engine = new EngineClient(fake.Endpoint);
        return ask(new(engine, "abc"));
    }

    // No process has that number, so its cgroup can't be found.
    private static FakeAnswer Details(bool isRunning) => FakeAnswer.Of("200 OK",
        $$$"""{"Id":"abc","State":{"Running":{{{(isRunning ? "true" : "false")}}},"ExitCode":0,"OOMKilled":false,"Pid":4194305}}""");
}
