using PerfLab.Core.Model;

namespace PerfLab.Reports.Html;

/// <summary>
/// Writes HTML. Whatever is not ours comes in as a value and leaves encoded: texts and attributes alike are cleaned first as for every
/// report (<see cref="UntrustedText"/>), so no name can hold markup, turn the direction of a line or hide.
/// </summary>
public sealed class HtmlWriter
{
    private readonly StringBuilder _text = new();
    private readonly Stack<string> _open = new();

    public override string ToString() => _text.ToString();

    public HtmlWriter Open(string element, params IEnumerable<(string Name, string Value)> attributes)
    {
        Start(element, attributes).Append('\n');
        _open.Push(element);
        return this;
    }

    public HtmlWriter Close()
    {
        _text.Append("</").Append(_open.Pop()).Append(">\n");
        return this;
    }

    /// <summary>An element without content.</summary>
    public HtmlWriter Empty(string element, params IEnumerable<(string Name, string Value)> attributes)
    {
        Start(element, attributes).Append('\n');
        return this;
    }

    /// <summary>An element with a text of one line, as long as it is.</summary>
    public HtmlWriter Text(string element, string text, params IEnumerable<(string Name, string Value)> attributes)
    {
        Start(element, attributes).Append(Encoded(text)).Append("</").Append(element).Append(">\n");
        return this;
    }

    /// <summary>An element around a name: isolated, so that one written from right to left leaves the rest of the line as it is.</summary>
    public HtmlWriter Name(string element, string name, params IEnumerable<(string Name, string Value)> attributes)
    {
        Start(element, attributes).Append("<bdi>").Append(Encoded(name)).Append("</bdi></").Append(element).Append(">\n");
        return this;
    }

    /// <summary>Several lines as they are, for commands and what a launch printed.</summary>
    public HtmlWriter Lines(string element, string text, params IEnumerable<(string Name, string Value)> attributes)
    {
        Start(element, attributes).Append(Escape(UntrustedText.Clean(text))).Append("</").Append(element).Append(">\n");
        return this;
    }

    /// <summary>Text within an open element.</summary>
    public HtmlWriter Words(string text)
    {
        _text.Append(Encoded(text)).Append('\n');
        return this;
    }

    /// <summary>Our own markup: a picture of the Svg room, a style sheet, a script. Never anything that came from a file.</summary>
    public HtmlWriter Own(string markup)
    {
        _text.Append(markup);
        return this;
    }

    private static string Encoded(string text) => Escape(UntrustedText.Line(text, UntrustedText.MaxChars));

    internal static string Escape(string text) => new StringBuilder(text)
        .Replace("&", "&amp;").Replace("<", "&lt;").Replace(">", "&gt;").Replace("\"", "&quot;").Replace("'", "&#39;").ToString();

    private StringBuilder Start(string element, IEnumerable<(string Name, string Value)> attributes)
    {
        _text.Append('<').Append(element);
        foreach (var (name, value) in attributes)
        {
            _text.Append(' ').Append(name);
            if (value.Length > 0)
            {
                _text.Append("=\"").Append(Encoded(value)).Append('"');
            }
        }

        return _text.Append('>');
    }
}
