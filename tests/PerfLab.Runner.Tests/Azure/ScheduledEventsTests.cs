using System.Net;
using System.Text;
using PerfLab.Machine.Watching;
using PerfLab.Runner.Tests.Machine;

namespace PerfLab.Runner.Tests.Azure;

public sealed class ScheduledEventsTests : IDisposable
{
    private const string Freeze = """{"EventId":"602d9444","EventType":"Freeze","ResourceType":"VirtualMachine","Resources":["NAME"],"EventStatus":"Scheduled","NotBefore":"Mon, 19 Sep 2016 18:29:47 GMT","Description":"","EventSource":"Platform","DurationInSeconds":5}""";

    private readonly LabFixture lab = new();
    private readonly FakeMetadata metadata;
    private readonly MetadataService service;

    public ScheduledEventsTests()
    {
        metadata = new FakeMetadata(lab.Vm, "session");
        service = new MetadataService(metadata.Client);
    }

    public void Dispose() => metadata.Dispose();

    [Fact]
    public async Task a_machine_without_announced_maintenance_has_none() => (await AskAsync()).ShouldBe([]);

    [Theory]
    [InlineData("Freeze", "Started", true)]
    [InlineData("Reboot", "Scheduled", true)]
    [InlineData("Redeploy", "Scheduled", true)]
    [InlineData("Preempt", "Scheduled", true)]
    [InlineData("Terminate", "Started", true)]
    [InlineData("Freeze", "Completed", false)]
    [InlineData("Party", "Scheduled", false)]
    public async Task what_is_announced_or_begun_is_named(string type, string status, bool counts)
    {
        Say(Freeze.Replace("Freeze", type).Replace("Scheduled", status));

        (await AskAsync()).ShouldBe(counts ? [$"{type}, {status}, not before Mon, 19 Sep 2016 18:29:47 GMT"] : []);
    }

    [Fact]
    public async Task one_that_has_begun_has_no_time()
    {
        Say(Freeze.Replace("Scheduled", "Started").Replace("Mon, 19 Sep 2016 18:29:47 GMT", ""));

        (await AskAsync()).ShouldBe(["Freeze, Started"]);
    }

    [Fact]
    public async Task an_event_of_another_machine_of_the_set_is_not_ours()
    {
        metadata.Events = $$"""{"Events":[{{Freeze.Replace("NAME", "somebody-else")}}]}""";

        (await AskAsync()).ShouldBe([]);
    }

    [Theory]
    [InlineData("")]
    [InlineData("<html>")]
    [InlineData("null")]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("""{"Events":{}}""")]
    [InlineData("""{"Events":[1]}""")]
    [InlineData("""{"Events":[{"EventType":1,"EventStatus":"Started"}]}""")]
    [InlineData("""{"Events":[{"EventType":"Freeze"}]}""")]
    [InlineData("""{"Events":[{"EventType":"Freeze","EventStatus":"Started","Resources":"x"}]}""")]
    [InlineData("""{"Events":[{"EventType":"Freeze","EventStatus":"\ud800"}]}""")]
    [InlineData("""{"Events":null}""")]
    [InlineData("""{"Events":[],"Events":[]}""")]
    [InlineData("""{"Events":[{"EventType":"Freeze","EventType":"Reboot"}]}""")]
    public async Task nonsense_is_unknown(string text)
    {
        metadata.Events = text;

        (await AskAsync()).ShouldBeNull();
    }

    [Fact]
    public async Task a_deep_or_endless_answer_is_unknown_or_bounded()
    {
        metadata.Events = string.Concat(Enumerable.Repeat("[", 100_000));
        (await AskAsync()).ShouldBeNull();

        metadata.Events = $$"""{"Events":[{{string.Join(",", Enumerable.Range(0, 5000).Select(i => Freeze.Replace("NAME", lab.Vm.Name).Replace("19 Sep", $"{i} Sep")))}}]}""";
        (await AskAsync())!.Count.ShouldBe(16);
    }

    [Fact]
    public async Task control_characters_never_get_into_a_reason()
    {
        metadata.Events = """{"Events":[{"EventType":"Freeze","EventStatus":"Started","NotBefore":"a\u001b[31m\n"}]}""";

        (await AskAsync()).ShouldBe(["Freeze, Started"]);
    }

    [Theory]
    [InlineData(HttpStatusCode.NotFound)]
    [InlineData(HttpStatusCode.BadRequest)]
    [InlineData(HttpStatusCode.InternalServerError)]
    public async Task a_service_that_refuses_is_unknown(HttpStatusCode status)
    {
        metadata.Fault = () => new HttpResponseMessage(status);
        (await AskAsync()).ShouldBeNull();
    }

    [Fact]
    public async Task a_character_set_that_nobody_knows_is_no_crash()
    {
        metadata.Fault = () =>
        {
            var answer = new HttpResponseMessage(HttpStatusCode.OK) { Content = new ByteArrayContent(Encoding.UTF8.GetBytes("""{"Events":[]}""")) };
            answer.Content.Headers.TryAddWithoutValidation("Content-Type", "application/json; charset=klingon");
            return answer;
        };
        (await AskAsync()).ShouldBe([]);
    }

    [Fact]
    public async Task a_service_that_cannot_be_reached_is_unknown()
    {
        metadata.Fault = () => throw new HttpRequestException("no route");
        (await AskAsync()).ShouldBeNull();
    }

    [Fact]
    public async Task the_watch_asks_each_second_and_keeps_what_was_seen_until_it_is_taken()
    {
        var answers = new Queue<IReadOnlyList<string>?>([null, [], ["Freeze, Started"], []]);
        var drained = new TaskCompletionSource();
        Task<IReadOnlyList<string>?> Ask(CancellationToken stop)
        {
            if (answers.TryDequeue(out var answer))
            {
                return Task.FromResult(answer);
            }

            drained.TrySetResult();
            return Task.Delay(Timeout.Infinite, stop).ContinueWith<IReadOnlyList<string>?>(_ => throw new OperationCanceledException(stop), CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
        }

        await using var watch = new ScheduledEventsWatch(Ask, new FakeClocks());
        await drained.Task.WaitAsync(TimeSpan.FromSeconds(30));

        watch.Seen.Now.ShouldBe([]);
        watch.Seen.TakeSeen().ShouldBe(["Freeze, Started"]);
        watch.Seen.TakeSeen().ShouldBeEmpty();
    }

    [Fact]
    public void an_event_that_goes_on_is_seen_in_the_next_block_too()
    {
        var seen = new SeenEvents();
        seen.Saw(["Reboot, Scheduled"]);
        seen.Saw(["Reboot, Started"]);

        seen.TakeSeen().ShouldBe(["Reboot, Scheduled", "Reboot, Started"]);
        seen.TakeSeen().ShouldBe(["Reboot, Started"]);
    }

    private Task<IReadOnlyList<string>?> AskAsync() => service.ScheduledEventsAsync(CancellationToken.None);

    private void Say(string item) => metadata.Events = $$"""{"DocumentIncarnation":7,"Events":[{{item.Replace("NAME", lab.Vm.Name)}}]}""";
}
