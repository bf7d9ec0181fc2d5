using System;
using System.Globalization;
using System.Text;

namespace PerfLab.WorkloadKit;

/// <summary>Writes JSON: enough for one result, and without a package, because System.Text.Json may be what is measured.</summary>
internal sealed class JsonBuilder
{
    private readonly StringBuilder _text = new();
    private bool _first = true;

    public override string ToString() => _text.ToString();

    public JsonBuilder Object(string? name, Action<JsonBuilder> members) => Nested(name, '{', '}', members);

    public JsonBuilder Array(string? name, Action<JsonBuilder> items) => Nested(name, '[', ']', items);

    public JsonBuilder Text(string? name, string value)
    {
        Start(name);
        Quote(value);
        return this;
    }

    public JsonBuilder Boolean(string? name, bool value) => Raw(name, value ? "true" : "false");

    public JsonBuilder Integer(string? name, long value) => Raw(name, value.ToString(CultureInfo.InvariantCulture));

    public JsonBuilder Null(string? name) => Raw(name, "null");

    /// <summary>The shortest text that reads back as the same number; the caller has refused what is not finite.</summary>
    public JsonBuilder Number(string? name, double value) => Raw(name, value.ToString("R", CultureInfo.InvariantCulture));

    private JsonBuilder Raw(string? name, string value)
    {
        Start(name);
        _text.Append(value);
        return this;
    }

    private JsonBuilder Nested(string? name, char open, char close, Action<JsonBuilder> content)
    {
        Start(name);
        _text.Append(open);
        _first = true;
        content(this);
        _text.Append(close);
        _first = false;
        return this;
    }

    private void Start(string? name)
    {
        if (!_first)
        {
            _text.Append(',');
        }

        _first = false;
        if (name is not null)
        {
            Quote(name);
            _text.Append(':');
        }
    }

    private void Quote(string value)
    {
        _text.Append('"');
        foreach (var character in value)
        {
            // Everything but printable ASCII goes as \u: no encoder to trust, and no lone surrogate can break the file.
            if (character is '"' or '\\')
            {
                _text.Append('\\').Append(character);
            }
            else if (character is < ' ' or > '~')
            {
                _text.Append("\\u").Append(((int)character).ToString("x4", CultureInfo.InvariantCulture));
            }
            else
            {
                _text.Append(character);
            }
        }

        _text.Append('"');
    }
}
