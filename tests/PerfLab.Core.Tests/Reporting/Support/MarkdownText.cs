namespace PerfLab.Core.Tests.Reporting.Support;

internal static class MarkdownText
{
    /// <summary>What a reader sees before he opens anything.</summary>
    public static string WithoutFolds(string markdown)
    {
        var (open, depth) = (new List<string>(), 0);
        foreach (var line in markdown.Split('\n'))
        {
            depth += line.StartsWith("<details>", StringComparison.Ordinal) ? 1 : 0;
            if (depth == 0)
            {
                open.Add(line);
            }

            depth -= line == "</details>" ? 1 : 0;
        }

        depth.ShouldBe(0, "a fold was left open");
        return string.Join('\n', open);
    }

    /// <summary>The text without code spans and fences, as GitHub's Markdown would cut them.</summary>
    public static string OutsideCode(string markdown)
    {
        var outside = new List<string>();
        string? fence = null;
        foreach (var line in markdown.Split('\n'))
        {
            if (fence is null && line.StartsWith("```", StringComparison.Ordinal))
            {
                fence = new string('`', line.TakeWhile(character => character == '`').Count());
            }
            else if (fence is not null)
            {
                fence = line == fence ? null : fence;
            }
            else
            {
                outside.Add(string.Concat(line.Split('`').Where((_, index) => index % 2 == 0)));
            }
        }

        fence.ShouldBeNull("a fence was left open");
        return string.Join('\n', outside);
    }
}
