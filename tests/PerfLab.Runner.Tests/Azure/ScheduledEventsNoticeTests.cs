using PerfLab.Machine.Watching;
using PerfLab.Runner.Tests.Machine;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>From the watchdog, which may ask Azure, to a session, which may not.</summary>
public sealed class ScheduledEventsNoticeTests : IDisposable
{
    private readonly LabFixture lab = new();
    private readonly FakeMachine machine = new();
    private readonly FakeClocks clocks = new();
    private readonly FakeMetadata metadata;
    private readonly ScheduledEventsSource session;

    public ScheduledEventsNoticeTests()
    {
        metadata = new FakeMetadata(lab.Vm, "watchdog") { Events = """{"Events":[{"EventType":"Freeze","EventStatus":"Started"}]}""" };
        session = new ScheduledEventsSource(machine.Files, new MetadataService(metadata.Client), clocks);
    }

    public void Dispose()
    {
        metadata.Dispose();
        machine.Dispose();
    }

    [Fact]
    public async Task a_session_reads_what_the_watchdog_noted()
    {
        machine.Write(ScheduledEventsNotice.DefaultFile, "");
        await KeepAsync(times: 3);
        metadata.Fault = () => throw new HttpRequestException("a session may not ask");

        (await AskAsync()).ShouldBe(["Freeze, Started"]);
    }

    [Fact]
    public async Task a_note_that_nobody_rewrites_is_unknown_after_10_seconds()
    {
        machine.Write(ScheduledEventsNotice.DefaultFile, """{"number":1,"events":[]}""");
        (await AskAsync()).ShouldBe([]);
        clocks.Pass(ScheduledEventsSource.Stale);
        (await AskAsync()).ShouldBe([]);
        clocks.Pass(TimeSpan.FromSeconds(1));
        (await AskAsync()).ShouldBeNull();

        machine.Write(ScheduledEventsNotice.DefaultFile, """{"number":2,"events":[]}""");
        (await AskAsync()).ShouldBe([]);
    }

    [Theory]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("{")]
    [InlineData("""{"number":1,"events":null}""")]
    [InlineData("""{"number":1,"events":[1]}""")]
    [InlineData("""{"number":1,"events":["a\u001bb"]}""")]
    [InlineData("""{"number":1,"events":[],"events":[]}""")]
    public async Task a_note_that_is_none_is_unknown(string text)
    {
        machine.Write(ScheduledEventsNotice.DefaultFile, text);
        (await AskAsync()).ShouldBeNull();
    }

    [Fact]
    public async Task without_a_note_the_service_is_asked() => (await AskAsync()).ShouldBe(["Freeze, Started"]);

    [Fact]
    public async Task a_folder_that_is_missing_is_said_once_and_the_watchdog_goes_on()
    {
        await KeepAsync(times: 5);

        lab.Said.ShouldHaveSingleItem().ShouldContain("RuntimeDirectory=perf-lab-watch");
    }

    private async Task KeepAsync(int times)
    {
        using var stop = new CancellationTokenSource();
        clocks.Waiting = () =>
        {
            if (--times == 0)
            {
                stop.Cancel();
            }
        };
        var notice = new ScheduledEventsNotice(machine.Files.At(ScheduledEventsNotice.DefaultFile));
        await Should.ThrowAsync<OperationCanceledException>(() => notice.KeepAsync(new MetadataService(metadata.Client), clocks, lab.Said.Add, stop.Token));
    }

    private Task<IReadOnlyList<string>?> AskAsync() => session.AskAsync(CancellationToken.None);
}
