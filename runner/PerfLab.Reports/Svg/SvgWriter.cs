using PerfLab.Core.Model;

namespace PerfLab.Reports.Svg;

/// <summary>Writes SVG, one element a line. Texts are foreign: they are cleaned as for every report, and escaped; nothing else gets in.</summary>
internal sealed class SvgWriter(bool isInPage = false)
{
    private readonly StringBuilder _text = new();
    private readonly Stack<string> _open = new();

    public override string ToString() => _text.ToString();

    public void Open(string element, params IEnumerable<(string Name, object Value)> attributes)
    {
        Start(element, attributes);
        _text.Append(">\n");
        _open.Push(element);
    }

    public void Close()
    {
        var element = _open.Pop();
        _text.Append(' ', 2 * _open.Count).Append("</").Append(element).Append(">\n");
    }

    public void Empty(string element, params IEnumerable<(string Name, object Value)> attributes)
    {
        Start(element, attributes);
        _text.Append("/>\n");
    }

    public void Text(string element, string content, params IEnumerable<(string Name, object Value)> attributes)
    {
        Start(element, attributes);
        _text.Append('>').Append(Escape(UntrustedText.Line(content, UntrustedText.MaxChars))).Append("</").Append(element).Append(">\n");
    }

    /// <summary>A mark; one with words shows them where a pointer rests on it, without a script.</summary>
    public void Mark(string element, string? said, params IEnumerable<(string Name, object Value)> attributes)
    {
        Start(element, attributes);
        _text.Append(said is null ? "/>\n"
            : $"><title>{Escape(UntrustedText.Line(said, UntrustedText.MaxChars))}</title></{element}>\n");
    }

    /// <summary>Our own style sheet, as it is; a page has it once for all of its pictures.</summary>
    public void Style(string rules)
    {
        if (!isInPage)
        {
            _text.Append("  <style>\n").Append(rules).Append("\n  </style>\n");
        }
    }

    /// <summary>Two decimals: a hundredth of a pixel is never seen.</summary>
    public static string Number(double value) => Math.Round(value, 2) is var rounded && rounded == 0
        ? "0" : rounded.ToString("0.##", CultureInfo.InvariantCulture);

    private void Start(string element, IEnumerable<(string Name, object Value)> attributes)
    {
        _text.Append(' ', 2 * _open.Count).Append('<').Append(element);
        foreach (var (name, value) in attributes)
        {
            _text.Append(' ').Append(name).Append("=\"").Append(value is double number ? Number(number) : Escape((string)value)).Append('"');
        }
    }

    private static string Escape(string text) => new StringBuilder(text)
        .Replace("&", "&amp;").Replace("<", "&lt;").Replace(">", "&gt;").Replace("\"", "&quot;").ToString();
}
