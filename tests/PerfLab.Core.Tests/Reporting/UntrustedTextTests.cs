using System.Text.Json;
using System.Text.RegularExpressions;
using PerfLab.Core.Model;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.Reporting;

/// <summary>The table is shared with the GitHub part, which proves its own version of the function by it.</summary>
public sealed class UntrustedTextTests
{
    private sealed record Case(string Name, string Input, int? Repeat, string? Suffix, string? Clean, string? Code, string? Fence);

    private static readonly Dictionary<string, Case> Table = JsonSerializer.Deserialize<List<Case>>(
        Repository.Read("tests/fixtures/untrusted-text.json"), JsonSerializerOptions.Web)!.ToDictionary(row => row.Name, StringComparer.Ordinal);

    public static TheoryData<string> Names => [.. Table.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void text_comes_out_as_the_shared_table_says(string name)
    {
        var row = Table[name];
        var input = Input(row);
        (row.Clean ?? row.Code ?? row.Fence).ShouldNotBeNull("a row that expects nothing proves nothing");
        if (row.Clean is not null)
        {
            UntrustedText.Clean(input).ShouldBe(row.Clean);
        }

        if (row.Code is not null)
        {
            UntrustedText.Code(input).ShouldBe(row.Code);
        }

        if (row.Fence is not null)
        {
            UntrustedText.Fence(input).ShouldBe(row.Fence);
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void nothing_gets_out_of_its_code(string name)
    {
        var input = Input(Table[name]);
        var code = UntrustedText.Code(input);
        var fence = UntrustedText.Fence(input).Split('\n');

        code.ShouldMatch("^`[^`|\n\r]+`$");
        code.Length.ShouldBeLessThanOrEqualTo(UntrustedText.MaxNameChars + 2);
        var closing = fence[^1];
        fence[1..^1].ShouldAllBe(line => !line.Contains(closing, StringComparison.Ordinal));
        fence[0].ShouldBe(closing + "text");
        UntrustedText.Clean(input).Length.ShouldBeLessThanOrEqualTo(UntrustedText.MaxChars);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void cleaning_twice_changes_nothing(string name)
    {
        var once = UntrustedText.Clean(Input(Table[name]));

        UntrustedText.Clean(once).ShouldBe(once);
    }

    [Fact]
    public void no_character_that_steers_or_hides_comes_through()
    {
        var everything = string.Concat(Enumerable.Range(0, 0x10000).Where(value => value is not ('\n' or '\t')).Select(value => (char)value));
        var shown = string.Concat(everything.Chunk(500).Select(chunk => UntrustedText.Clean("." + new string(chunk))));

        shown.ShouldNotMatch(@"[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}-[\n]]");
        Regex.Count(shown, "[a-zA-Z]", RegexOptions.None, TimeSpan.FromSeconds(10)).ShouldBeGreaterThanOrEqualTo(50);
    }

    [Theory]
    [InlineData("\e[")]
    [InlineData("\e]")]
    [InlineData("\u009d")]
    [InlineData("\e[0")]
    [InlineData("\e \e")]
    public void escapes_that_never_end_cost_no_more_than_their_length(string start)
    {
        // Quadratic work on this many characters takes tens of seconds: the pattern's own limit of ten seconds throws.
        var input = string.Concat(Enumerable.Repeat(start, 400_000 / start.Length));

        UntrustedText.Clean(input).Length.ShouldBeLessThanOrEqualTo(UntrustedText.MaxChars);
    }

    private static string Input(Case row) => string.Concat(Enumerable.Repeat(row.Input, row.Repeat ?? 1)) + row.Suffix;
}
