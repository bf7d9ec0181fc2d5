using System.Text;
using PerfLab.Launching;

namespace PerfLab.Runner.Tests.Execution.Processes;

public sealed class OutputTailTests
{
    [Theory]
    [InlineData("")]
    [InlineData("one")]
    [InlineData("one\n")]
    [InlineData("\n\n\n")]
    [InlineData("ä\n€\n😀")]
    public void short_output_is_kept_as_it_is(string text) => Tail(text).ShouldBe(text);

    [Theory]
    [InlineData("\n")]
    [InlineData("")]
    public void twenty_lines_are_kept(string end)
    {
        var lines = Enumerable.Range(0, 50).Select(i => $"line {i}").ToList();

        Tail(string.Join('\n', lines) + end).ShouldBe(string.Join('\n', lines[30..]) + end);
    }

    [Fact]
    public void one_endless_line_is_cut_from_the_front() => Tail(new string('a', 100_000) + "end").ShouldBe(new string('a', 3_997) + "end");

    [Fact]
    public void a_cut_never_halves_a_character()
    {
        var tail = Tail(string.Concat(Enumerable.Repeat("😀", 9_000)) + "x");

        tail.Length.ShouldBeLessThanOrEqualTo(4_000);
        tail.ShouldBe(string.Concat(Enumerable.Repeat("😀", 1_999)) + "x");
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(4_096)]
    [InlineData(65_536)]
    public void pieces_of_any_size_give_the_same(int piece)
    {
        var text = string.Concat(Enumerable.Range(0, 20_000).Select(i => $"{i}{(i % 97 == 0 ? "\n" : " ")}"));
        var bytes = Encoding.UTF8.GetBytes(text);
        var tail = new OutputTail();
        foreach (var chunk in bytes.Chunk(piece))
        {
            tail.Add(chunk);
        }

        tail.Total.ShouldBe(bytes.Length);
        tail.Text().ShouldBe(Tail(text));
    }

    [Theory]
    [InlineData("Out of memory.", true)]
    [InlineData("xxOut of memory.yy", true)]
    [InlineData("Out of memor", false)]
    [InlineData("OutOut of memory.", true)]
    public void a_phrase_is_found_across_pieces(string text, bool seen)
    {
        for (var piece = 1; piece <= text.Length; piece++)
        {
            var watch = new PhraseWatch("Out of memory.");
            foreach (var chunk in Encoding.UTF8.GetBytes(text).Chunk(piece))
            {
                watch.Add(chunk);
            }

            watch.Seen.ShouldBe(seen, $"pieces of {piece}");
        }
    }

    private static string Tail(string text)
    {
        var tail = new OutputTail();
        tail.Add(Encoding.UTF8.GetBytes(text));
        return tail.Text();
    }
}
