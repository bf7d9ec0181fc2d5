using System.Text.RegularExpressions;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.House;

/// <summary>What the documentation names is there: every link, and every path of this repository in backticks.</summary>
public sealed partial class DocPathsTests
{
    /// <summary>Folders of the repository's root: text in backticks that begins with one of them is a path.</summary>
    private static readonly string[] Tops =
        ["runner/", "workloads/", "tests/", "docs/", "infra/", "benchmarks/", "results/", "schemas/", "examples/", ".github/", ".ci/"];

    public static TheoryData<string> Pages => [.. Repository.Pages];

    [Theory]
    [MemberData(nameof(Pages))]
    public void every_path_that_a_page_names_is_there(string page) =>
        Missing(page, File.ReadAllText(Path.Combine(Repository.Root, page))).ShouldBeEmpty($"{page} names what is not there");

    [Fact]
    public void every_file_that_contributing_names_is_there()
    {
        var folders = Tops.Select(top => Path.Combine(Repository.Root, top)).Where(Directory.Exists);
        var files = folders.SelectMany(FileNames).ToHashSet(StringComparer.Ordinal);
        var quoted = Ticks().Matches(Repository.Read("CONTRIBUTING.md")).Select(match => match.Groups["text"].Value);
        var named = quoted.Where(name => FileName().IsMatch(name)).ToList();

        named.Count.ShouldBeGreaterThan(20);
        named.Where(name => !files.Contains(name)).ShouldBeEmpty();
    }

    private static IEnumerable<string> FileNames(string folder) => Directory.EnumerateFiles(folder).Select(path => Path.GetFileName(path))
        .Concat(Directory.EnumerateDirectories(folder).Where(inner => !Repository.NotOurs.Contains(Path.GetFileName(inner))).SelectMany(FileNames));

    [Theory]
    [InlineData("[here](nowhere.md)", "nowhere.md")]
    [InlineData("[here](../runner)", null)]
    [InlineData("[here](cli.md#exit-codes)", null)]
    [InlineData("[here](cli.md#no-such-heading)", "cli.md#no-such-heading")]
    [InlineData("[here](https://example.org/nowhere)", null)]
    [InlineData("`runner/PerfLab.Core/Nowhere.cs`", "runner/PerfLab.Core/Nowhere.cs")]
    [InlineData("`benchmarks/house-figures [COMMIT…]`", null)]
    [InlineData("`workloads/<name>/workload.yaml`", null)]
    [InlineData("`infra/src/*.ts`", null)]
    [InlineData("`schemas/{a,b}.json`", null)]
    public void a_path_that_is_not_there_is_found(string text, string? missing) =>
        Missing("docs/page.md", text).ShouldBe(missing is null ? [] : [missing]);

    private static List<string> Missing(string page, string text)
    {
        var folder = Path.GetDirectoryName(Path.Combine(Repository.Root, page))!;
        var prose = Fence().Replace(text, "");
        return
        [
            .. Link().Matches(prose).Select(match => match.Groups["to"].Value)
                .Where(to => !to.Contains(':') && !LeadsSomewhere(Path.Combine(Repository.Root, page), folder, to)),
            .. Ticks().Matches(prose).Select(match => match.Groups["text"].Value.Split(' ')[0].TrimEnd(':', ','))
                .Where(path => Tops.Any(top => path.StartsWith(top, StringComparison.Ordinal)) && path.IndexOfAny(['<', '*', '{', '…', '$']) < 0)
                .Where(path => !Exists(Path.Combine(Repository.Root, path))),
        ];
    }

    private static bool LeadsSomewhere(string page, string folder, string to)
    {
        var (path, heading) = to.Split('#') is [var before, var after] ? (before, after) : (to, null);
        var target = path.Length == 0 ? page : Path.GetFullPath(Path.Combine(folder, path));
        return Exists(target) && (heading is null || File.ReadLines(target).Any(line => line.StartsWith('#') && Anchor(line) == heading));
    }

    // As GitHub names headings.
    private static string Anchor(string heading) => NotInAnchor().Replace(heading.TrimStart('#').Trim().ToLowerInvariant(), "").Replace(' ', '-');

    private static bool Exists(string path) => File.Exists(path) || Directory.Exists(path);

    [GeneratedRegex("^ *```.*?^ *```", RegexOptions.Multiline | RegexOptions.Singleline, 1000)]
    private static partial Regex Fence();

    [GeneratedRegex(@"\]\((?<to>[^)\s]+)\)", RegexOptions.None, 1000)]
    private static partial Regex Link();

    [GeneratedRegex("`(?<text>[^`\n]+)`", RegexOptions.None, 1000)]
    private static partial Regex Ticks();

    [GeneratedRegex(@"^[A-Za-z-]+\.(cs|ts)$", RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex FileName();

    [GeneratedRegex(@"[^\p{L}\p{N} _-]", RegexOptions.None, 1000)]
    private static partial Regex NotInAnchor();
}
