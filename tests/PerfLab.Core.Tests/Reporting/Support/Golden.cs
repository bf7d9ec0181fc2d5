using System.Text;

namespace PerfLab.Core.Tests.Reporting.Support;

/// <summary>Compares text with a file that a person looked at once. To accept what came instead: copy it over, as the message says.</summary>
internal static class Golden
{
    /// <param name="text">What the code made.</param>
    /// <param name="path">The golden file, relative to the repository.</param>
    public static void ShouldMatch(string text, string path)
    {
        var expected = Path.Combine(Repository.Root, path);
        var bytes = Encoding.UTF8.GetBytes(text);
        if (File.Exists(expected) && File.ReadAllBytes(expected).AsSpan().SequenceEqual(bytes))
        {
            return;
        }

        var received = Path.Combine(AppContext.BaseDirectory, Path.GetFileName(path) + ".received");
        File.WriteAllBytes(received, bytes);
        Assert.Fail(
            $"""
            {path} {(File.Exists(expected) ? $"differs, first at line {FirstDifference(File.ReadAllText(expected), text)}" : "does not exist")}.
            See:    diff {expected} {received}
            Accept: cp {received} {expected}
            """);
    }

    private static int FirstDifference(string expected, string received)
    {
        var lines = received.Split('\n');
        return expected.Split('\n').TakeWhile((line, index) => index < lines.Length && line == lines[index]).Count() + 1;
    }
}
