using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Tests.Steps;

public sealed class RequestFileTests : IDisposable
{
    private readonly PullRequestLab _lab = new();

    [Fact]
    public void the_example_of_the_formats_is_read_whole()
    {
        var request = RequestFile.Read(Path.Combine(Repository.Root, "tests/fixtures/formats/request.json"));
        (request.Repository, request.PullRequest, request.CommentId, request.RequesterId).ShouldBe(("example/library", 42, 1234567890L, 583231L));
        request.Words.ToSet().Keys.ShouldBe(["pgo", "runtime"]);
        request.Words.RoundCounts().ShouldBe((8, 20));
        var asked = request.ToBenchmarkRequest(new Policy(), 7);
        (asked.WarmUpSeconds, asked.CurrentSdk, asked.Asked!.WarmUpSeconds).ShouldBe((6, true, 6));
        var snippet = request.Snippet.ShouldNotBeNull();
        (snippet.Comment, snippet.Text.Split('\n')[0]).ShouldBe((1234567890L, "using BenchmarkDotNet.Attributes;"));
    }

    [Theory]
    [InlineData("schema", "\"perf-lab/request/2\"")]
    [InlineData("repository", "\"a/b/c\"")]
    [InlineData("pullRequest", "0")]
    [InlineData("pullRequest", "\"42\"")]
    [InlineData("pullRequest", "1.5")]
    [InlineData("commentId", "1e400")]
    [InlineData("base", "\"main\"")]
    [InlineData("head", "\"D4E5F6A7B8C90718293A4B5C6D7E8F9001122334\"")]
    [InlineData("head", "\"d4e5f6a7b8c90718293a4b5c6d7e8f9001122334\\n\"")]
    [InlineData("head", "null")]
    [InlineData("word", "\"perf\"")]
    [InlineData("word", "\"/perf `id`\"")]
    [InlineData("word", "null")]
    [InlineData("words", "null")]
    [InlineData("words.suite", "\"../pr\"")]
    [InlineData("words.machine", "\"--help\"")]
    [InlineData("words.workloads", "[\"./folder\"]")]
    [InlineData("words.workloads", "[null]")]
    [InlineData("words.runtimes", "[\"net8.0;id\"]")]
    [InlineData("words.pgo", "[\"maybe\"]")]
    [InlineData("words.rounds", "\"8+1e3\"")]
    [InlineData("words.rounds", "\"٣+٣\"")]
    [InlineData("words.warmUp", "0")]
    [InlineData("words.warmUp", "-1")]
    [InlineData("words.warmUp", "3601")]
    [InlineData("words.warmUp", "1e400")]
    [InlineData("words.warmUp", "\"6\"")]
    [InlineData("words.sdk", "\"10.0.100\"")]
    [InlineData("words.sdk", "\"current;id\"")]
    [InlineData("words.sdk", "true")]
    [InlineData("words.within", "0")]
    [InlineData("words.within", "-1")]
    [InlineData("words.within", "1440.5")]
    [InlineData("words.within", "1e400")]
    [InlineData("words.within", "\"10m\"")]
    [InlineData("words.extra", "1")]
    [InlineData("extra", "1")]
    [InlineData("snippet", "\"code\"")]
    [InlineData("snippet", "{}")]
    [InlineData("snippet", "{\"comment\":0,\"text\":\"x\"}")]
    [InlineData("snippet", "{\"comment\":1,\"text\":\"\"}")]
    [InlineData("snippet", "{\"comment\":1,\"text\":\"x\",\"benchmarks\":[\"A.B\"]}")]
    public void what_the_schema_does_not_allow_is_refused(string member, string value)
    {
        var (owner, name) = member.StartsWith("words.", StringComparison.Ordinal) ? (_lab.Words, member[6..]) : (_lab.Request, member);
        owner[name] = "PLACE";
        ShouldBeRefused(_lab.Request.ToJsonString().Replace("\"PLACE\"", value, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("[]")]
    public void what_is_no_request_is_refused(string text) => ShouldBeRefused(text);

    [Fact]
    public void a_member_that_is_missing_given_twice_or_followed_by_more_is_refused()
    {
        var text = _lab.Request.ToJsonString();
        ShouldBeRefused(text + "{}");
        ShouldBeRefused(text.Insert(1, "\"pullRequest\":1,"));
        ShouldBeRefused(text + new string(' ', 64 << 10));
        var without = JsonNode.Parse(text)!.AsObject();
        without["words"]!.AsObject().Remove("gc");
        ShouldBeRefused(without.ToJsonString());
    }

    private void ShouldBeRefused(string text)
    {
        _lab.Write("bad.json", text);
        Should.Throw<LabException>(() => RequestFile.Read(_lab.At("bad.json"))).DoNext.ShouldContain("request.schema.json");
    }

    public void Dispose() => _lab.Dispose();
}
