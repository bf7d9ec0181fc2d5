using System.Text.Json.Nodes;
using PerfLab.Engine.Tests.Support;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Engine.Tests.Docker.Engine;

/// <summary>Every call against every way in which an engine can go wrong: a named error within the call's deadline, always.</summary>
public sealed class EngineFaultTests
{
    private static readonly EngineDeadlines Short = new()
    {
        Greeting = TimeSpan.FromMilliseconds(500),
        Call = TimeSpan.FromMilliseconds(500),
        Start = TimeSpan.FromMilliseconds(500),
        Transfer = TimeSpan.FromMilliseconds(500),
        Grace = TimeSpan.Zero,
    };

    private static readonly Dictionary<string, Func<EngineClient, Task>> Calls = new(StringComparer.Ordinal)
    {
        ["version"] = engine => engine.VersionAsync(default),
        ["info"] = engine => engine.InfoAsync(default),
        ["create"] = engine => engine.CreateContainerAsync("name", new JsonObject { ["Image"] = "i" }, default),
        ["start"] = engine => engine.StartContainerAsync("id", default),
        ["wait"] = engine => engine.WaitContainerAsync("id", engine.Deadlines.Call, default),
        ["inspect"] = engine => engine.InspectContainerAsync("id", default),
        ["stop"] = engine => engine.StopContainerAsync("id", TimeSpan.Zero, default),
        ["kill"] = engine => engine.KillContainerAsync("id", default),
        ["pause"] = engine => engine.PauseContainerAsync("id", default),
        ["unpause"] = engine => engine.UnpauseContainerAsync("id", default),
        ["remove"] = engine => engine.RemoveContainerAsync("id", default),
        ["logs"] = engine => engine.TailAsync("id", default),
        ["export"] = engine => engine.ExportContainerAsync("id", Stream.Null, default),
        ["containers"] = engine => engine.ListContainersAsync("l", default),
        ["image"] = engine => engine.InspectImageAsync("i", default),
        ["images"] = engine => engine.ListImagesAsync("l", default),
        ["load"] = engine => engine.LoadImageAsync(new ByteArrayContent(new byte[1000]), default),
        ["pull"] = engine => engine.PullImageAsync("i", default),
        ["build"] = engine => engine.BuildImageAsync(new MemoryStream(new byte[1000]), "q", default),
        ["remove-image"] = engine => engine.RemoveImageAsync("i", default),
        ["tag-image"] = engine => engine.TagImageAsync("i", "r", "t", default),
        ["networks"] = engine => engine.ListNetworksAsync("l", default),
        ["volumes"] = engine => engine.ListVolumesAsync("l", default),
    };

    private static readonly Dictionary<string, (FakeAnswer Answer, EngineFault Fault)> Faults = new(StringComparer.Ordinal)
    {
        ["says nothing"] = (new("", ThenSilence: true), EngineFault.TimedOut),
        ["stops in the middle and keeps the line"] = (new("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", ThenSilence: true), EngineFault.TimedOut),
        ["hangs up"] = (new(""), EngineFault.Cut),
        ["ends in the middle of its body"] = (new("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"Id"), EngineFault.Cut),
        ["ends in the middle of a chunk"] = (new("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{"), EngineFault.Cut),
        ["answers 500"] = (FakeAnswer.Of("500 Internal Server Error", """{"message":"broken"}"""), EngineFault.Refused),
        ["answers 409"] = (FakeAnswer.Of("409 Conflict", """{"message":"in the way"}"""), EngineFault.Refused),
        ["answers 503 in HTML"] = (FakeAnswer.Of("503 Unavailable", "<html>busy</html>", "text/html"), EngineFault.Refused),
        ["redirects"] = (FakeAnswer.Of("302 Found", "", headers: "Location: http://elsewhere/\r\n"), EngineFault.Malformed),
        ["speaks something else"] = (new("SSH-2.0-OpenSSH_9.2\r\n"), EngineFault.Malformed),
    };

    // Raw streams (logs, export) take any bytes, so these are for the calls that read JSON.
    private static readonly Dictionary<string, FakeAnswer> BadBodies = new(StringComparer.Ordinal)
    {
        ["half an object"] = FakeAnswer.Of("200 OK", "{\"Id\":"),
        ["HTML"] = FakeAnswer.Of("200 OK", "<html>Sign in</html>", "text/html"),
        ["null"] = FakeAnswer.Of("200 OK", "null"),
        ["NUL bytes"] = FakeAnswer.Of("200 OK", "\0\0\0"),
    };

    public static TheoryData<string, string> CallsAndFaults() =>
        [.. Calls.Keys.SelectMany(call => Faults.Keys.Select(fault => (call, fault)))];

    public static TheoryData<string, string> CallsAndBodies() =>
        [.. Calls.Keys.Where(call => call is not ("logs" or "export")).SelectMany(call => BadBodies.Keys.Select(body => (call, body)))];

    [Theory]
    [MemberData(nameof(CallsAndFaults))]
    public async Task A_fault_of_the_engine_has_a_name(string call, string fault)
    {
        var (answer, expected) = Faults[fault];
        var failure = await FailAsync(call, answer);
        failure.Fault.ShouldBe(expected, failure.Message);
        failure.Tried.ShouldStartWith("asking the Docker engine for ");
        failure.DoNext.ShouldContain("`--executor process`");
        if (expected == EngineFault.Refused)
        {
            failure.Detail.ShouldBeOneOf("broken", "in the way", "text/html text: <html>busy</html>");
        }
    }

    [Theory]
    [MemberData(nameof(CallsAndBodies))]
    public async Task An_answer_that_is_none_has_a_name(string call, string body) =>
        (await FailAsync(call, BadBodies[body])).Fault.ShouldBe(EngineFault.Malformed);

    [Theory]
    [InlineData("create", """{"Id":7}""")]
    [InlineData("create", "[]")]
    [InlineData("wait", """{"StatusCode":"0"}""")]
    [InlineData("wait", """{"StatusCode":null}""")]
    [InlineData("inspect", """{"State":null}""")]
    [InlineData("inspect", """{"State":{"Running":"no"}}""")]
    [InlineData("containers", "{}")]
    [InlineData("containers", "[null]")]
    [InlineData("image", """{"Id":"i","RootFS":{"Layers":[1]},"Config":{}}""")]
    [InlineData("volumes", """{"Volumes":{}}""")]
    [InlineData("containers", """[{"Id":"i","Created":9e18}]""")]
    [InlineData("containers", """[{"Id":"i","Created":1e400}]""")]
    [InlineData("containers", """[{"Id":"i","Id":"j","Created":1}]""")]
    [InlineData("containers", """[{"Id":"i","Created":1,"Labels":{"l":1}}]""")]
    [InlineData("inspect", """{"State":{"Running":true,"ExitCode":99999999999,"OOMKilled":false}}""")]
    [InlineData("image", """{"Id":"\ud800","RootFS":{},"Config":{}}""")]
    [InlineData("info", """{"MemoryLimit":"yes"}""")]
    [InlineData("info", """{"CPUSet":0}""")]
    [InlineData("build", """{"stream":1}""")]
    [InlineData("build", """{"aux":{"ID":1}}""")]
    [InlineData("build", "[]")]
    public async Task A_member_of_another_type_is_malformed_and_not_a_null_reference(string call, string body) =>
        (await FailAsync(call, FakeAnswer.Of("200 OK", body))).Fault.ShouldBe(EngineFault.Malformed);

    [Fact]
    public async Task An_endless_answer_is_cut_off()
    {
        var endless = "[" + new string(' ', EngineTransport.LongestAnswer + 1);
        var generous = new EngineDeadlines();
        (await FailAsync("containers", FakeAnswer.Of("200 OK", endless), generous)).Message.ShouldContain("more than 16 MiB");
    }

    [Theory]
    [InlineData("pull", """{"status":"Pulling"}{"error":"manifest unknown"}""")]
    [InlineData("load", """{"error":"manifest unknown"}""")]
    [InlineData("build", """{"stream":"Step 1/1\n"}{"error":"manifest unknown"}""")]
    public async Task An_error_inside_a_good_answer_is_an_error(string call, string body)
    {
        var failure = await FailAsync(call, FakeAnswer.Of("200 OK", body));
        failure.EngineAnswered.ShouldBeTrue();
        failure.Detail.ShouldContain("manifest unknown");
    }

    [Fact]
    public async Task Where_there_is_no_socket_it_is_said_what_to_do()
    {
        using var client = new EngineClient(EngineEndpoint.Parse("unix:///no/such/engine.sock"));
        var failure = await Should.ThrowAsync<EngineException>(client.InfoAsync(default));
        failure.Fault.ShouldBe(EngineFault.Unreachable);
        failure.Message.ShouldEndWith("nothing answers at unix:///no/such/engine.sock. There is no such socket: start an engine or set DOCKER_HOST.");
        (await client.AnswersAsync(default)).ShouldBeFalse();
    }

    [Fact]
    public async Task A_cancelled_call_is_cancelled_and_not_a_fault()
    {
        await using var fake = new FakeEngine(line => line.Contains("/version", StringComparison.Ordinal) ? null : new FakeAnswer("", ThenSilence: true));
        using var client = new EngineClient(fake.Endpoint);
        using var cancel = new CancellationTokenSource(TimeSpan.FromMilliseconds(100));
        await Should.ThrowAsync<OperationCanceledException>(client.InfoAsync(cancel.Token));
    }

    [Theory]
    [InlineData("says nothing")]
    [InlineData("speaks something else")]
    [InlineData("answers 503 in HTML")]
    public async Task A_probe_says_why_an_engine_is_not_usable_and_never_throws(string fault)
    {
        await using var fake = new FakeEngine(_ => Faults[fault].Answer);
        var result = await EngineProbe.AskAsync(fake.Endpoint, default, Short.Greeting);
        result.Usable.ShouldBeFalse();
        result.Says.ShouldStartWith("asking the Docker engine for GET /version: ");
    }

    private static async Task<EngineException> FailAsync(string call, FakeAnswer answer, EngineDeadlines? deadlines = null)
    {
        await using var fake = new FakeEngine(line => line.Contains("/version", StringComparison.Ordinal) && call != "version" ? null : answer);
        using var client = new EngineClient(fake.Endpoint, deadlines ?? Short);
        return await Should.ThrowAsync<EngineException>(Calls[call](client));
    }
}
