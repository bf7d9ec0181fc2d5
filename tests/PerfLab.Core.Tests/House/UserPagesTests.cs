using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.House;

/// <summary>What a user reads stays short: README and the pages directly in docs. How things work inside is docs/internals.</summary>
public sealed class UserPagesTests
{
    private const int MostPages = 13;
    private const int MostWords = 25_000;

    private static readonly string[] Pages =
        [.. Repository.Pages.Where(page => page == "README.md" || Path.GetDirectoryName(page) == "docs")];

    [Fact]
    public void a_user_meets_README_and_twelve_pages() => Pages.Length.ShouldBeInRange(
        2, MostPages, $"Put what a user need not read into docs/internals, or into a page that is there: {string.Join(", ", Pages)}");

    [Fact]
    public void the_pages_of_a_user_have_at_most_25000_words_together()
    {
        var words = Pages.ToDictionary(page => page, page => Words(Repository.Read(page)));

        words.Values.Sum().ShouldBeLessThanOrEqualTo(
            MostWords,
            "Cut what is said twice, or move it to docs/internals. "
                + string.Join(", ", words.OrderByDescending(page => page.Value).Select(page => $"{page.Key} {page.Value}")));
    }

    [Theory]
    [InlineData("", 0)]
    [InlineData("one  two\nthree\n", 3)]
    [InlineData("| `--wait 30m` | [wait](a.md) |\n", 6)]
    public void words_are_counted_as_wc_counts_them(string text, int words) => Words(text).ShouldBe(words);

    private static int Words(string text) => text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries).Length;
}
