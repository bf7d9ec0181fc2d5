using PerfLab.Core.Model;
using Spectre.Console;

namespace PerfLab.Runner.Terminals;

/// <summary>Lines of text beside the tables. Lines are not wrapped: commands are there to be copied.</summary>
internal sealed class ReportLines(IAnsiConsole console, bool ascii)
{
    public void Add(string line, Style? style = null) => Write(UntrustedText.Line(line, UntrustedText.MaxChars), style);

    /// <summary>A line of a picture, blanks and all; its signs are ours, and its units were cleaned by nobody.</summary>
    public void Drawn(string line, Style? style) => Write(UntrustedText.Clean(line), style);

    public void List(string title, IReadOnlyList<string> items) => List(title, items, "- ");

    /// <summary>Without a dash, so that a line can be copied as a whole.</summary>
    public void Commands(string title, IReadOnlyList<string> items) => List(title, items, "");

    /// <summary>What a launch printed: behind a bar, so that no line of it starts a line of ours (log commands of CI systems do).</summary>
    public void Quote(string? text)
    {
        if (text is null)
        {
            return;
        }

        foreach (var line in UntrustedText.Clean(text).Split('\n'))
        {
            Write($"  | {line}", null);
        }
    }

    private void List(string title, IReadOnlyList<string> items, string mark)
    {
        if (items.Count == 0)
        {
            return;
        }

        Write(title, null);
        foreach (var item in items)
        {
            Write("  " + mark + UntrustedText.Line(item, UntrustedText.MaxChars), null);
        }
    }

    private void Write(string line, Style? style)
    {
        var shown = ascii ? Ascii.Of(line) : line;
        if (console.Profile.Capabilities.Ansi && style is not null)
        {
            console.Write(new Text(shown + "\n", style) { Overflow = Overflow.Fold });
        }
        else
        {
            console.Profile.Out.Writer.Write(shown + "\n");
        }
    }
}
