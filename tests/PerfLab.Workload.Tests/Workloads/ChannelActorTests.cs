using System.Threading.Channels;
using PerfLab.Workloads.Actors;

namespace PerfLab.Workload.Tests.Workloads;

/// <summary>The bare actor by itself: one reader of its mailbox, and no message lost, doubled or left waiting.</summary>
public class ChannelActorTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public async Task nobody_looks_into_a_mailbox_without_the_turn(int batch)
    {
        const int Messages = 150;
        var (told, draw, actor) = (1, new Random(1), (Collector?)null);

        // A message comes in just after each look that found none, and after a third of those that found some: the next turn begins at
        // that moment if this one was given up before the look, and the message waits for ever if nobody notices it.
        var mailbox = new WatchedMailbox(looked: found =>
        {
            if (told < Messages && (!found || draw.Next(3) == 0))
            {
                told++;
                actor!.Tell(new Message(null!));
            }
        });
        actor = new Collector(batch, Messages, mailbox);
        actor.Tell(new Message(null!));

        await actor.ShouldFinishAsync();
        mailbox.Meetings.ShouldBe(0, "the channel was made for one reader, and breaks with two");
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(7, 2)]
    public void under_stress_pairs_go_on_for_ever_and_everything_in_flight_comes_home(int inFlight, int batch)
    {
        var pairs = Pairs.Start(new PairSettings(pairs: 4, inFlight, batch), share: long.MaxValue);
        pairs.Run();

        SpinWait.SpinUntil(() => pairs.Exchanges.All(exchange => exchange.Replies >= 100_000), Patience)
            .ShouldBeTrue("a message waits for ever");
        Settlement.Check(pairs.Exchanges);
    }

    [Theory]
    [InlineData(1000, 250)]
    [InlineData(1000, 7)]
    [InlineData(1, 1)]
    public async Task a_share_is_sent_once_whatever_is_in_flight_at_a_time(int inFlight, int share)
    {
        var pairs = Pairs.Start(new PairSettings(pairs: 3, inFlight, batch: 30), share);
        pairs.Run();
        await Task.WhenAll(pairs.Exchanges.Select(exchange => exchange.Finished)).WaitAsync(Patience, TestContext.Current.CancellationToken);
        pairs.Exchanges.ShouldAllBe(exchange => exchange.Sent == share && exchange.Replies == share && exchange.Wrong == 0);
    }

    [Fact]
    public void a_client_whose_turn_comes_after_the_end_still_proves_that_its_messages_come_home()
    {
        var late = new Exchange(inFlight: 2, share: long.MaxValue);
        late.Stop();
        late.Prime().ShouldBe(2);
        late.Reply(same: true).ShouldBeFalse();
        late.Reply(same: true).ShouldBeFalse();
        Settlement.Check([late]);
    }

    [Fact]
    public void a_client_that_never_begins_is_a_wrong_answer()
    {
        var never = new Exchange(inFlight: 2, share: long.MaxValue);
        Should.Throw<WorkloadKit.WrongAnswerException>(() => Settlement.Check([never], TimeSpan.FromSeconds(0.1)))
            .Message.ShouldStartWith("0 messages were sent");
    }

    [Fact]
    public void a_lost_message_and_an_exchanged_one_are_wrong_answers()
    {
        var lost = new Exchange(inFlight: 2, share: 2);
        lost.Prime().ShouldBe(2);
        lost.Reply(same: true).ShouldBeFalse();
        lost.Finished.IsCompleted.ShouldBeFalse("one of two came home");
        var exchanged = new Exchange(inFlight: 1, share: 1);
        exchanged.Prime();
        exchanged.Reply(same: false).ShouldBeFalse();
        Should.Throw<WorkloadKit.WrongAnswerException>(() => Settlement.Check([exchanged])).Message.ShouldContain("1 of them not the one that was sent");
    }

    [Theory]
    [InlineData(1)]
    [InlineData(30)]
    public async Task under_stress_every_message_is_handled_once_in_order_and_by_one_thread_at_a_time(int batch)
    {
        Message[][] sent = [.. Enumerable.Range(0, 4).Select(_ => Enumerable.Range(0, 50_000).Select(_ => new Message(null!)).ToArray())];
        var actor = new Collector(batch, sent.Sum(messages => messages.Length));
        Thread[] writers = [.. sent.Select(messages => new Thread(() => Array.ForEach(messages, actor.Tell)))];
        Array.ForEach(writers, writer => writer.Start());
        Array.ForEach(writers, writer => writer.Join());

        await actor.ShouldFinishAsync();
        actor.Collisions.ShouldBe(0);
        var writerOf = sent.SelectMany((messages, writer) => messages.Select(message => (message, writer)))
            .ToDictionary(pair => pair.message, pair => pair.writer);
        var handled = actor.Handled.ToLookup(message => writerOf[message]);
        for (var writer = 0; writer < sent.Length; writer++)
        {
            handled[writer].SequenceEqual(sent[writer]).ShouldBeTrue($"writer {writer}");
        }
    }

    private sealed class Collector(int batch, int expected, Channel<Message>? mailbox = null) : Actor(batch, mailbox)
    {
        private readonly TaskCompletionSource _finished = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _receiving;

        public List<Message> Handled { get; } = new(expected);

        public int Collisions { get; private set; }

        public async Task ShouldFinishAsync() => (await Task.WhenAny(_finished.Task, Task.Delay(Patience)))
            .ShouldBe(_finished.Task, $"{Handled.Count} of {expected} messages were handled; the others wait for ever");

        protected override void Receive(Message message)
        {
            if (Interlocked.Exchange(ref _receiving, 1) == 1)
            {
                Collisions++;
            }

            Handled.Add(message);
            if (Handled.Count == expected)
            {
                _finished.SetResult();
            }

            Volatile.Write(ref _receiving, 0);
        }
    }
}
