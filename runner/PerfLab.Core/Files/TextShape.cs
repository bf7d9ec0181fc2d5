using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;

namespace PerfLab.Core.Files;

/// <summary>Text: any, a word of a closed list, of a form, or a time.</summary>
public sealed record TextShape : Shape
{
    private const string UtcPattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?Z$";
    private const int LongestSuggested = 40;

    private readonly Lazy<Regex>? _form;

    private readonly byte[][] _words = [];

    /// <summary>The only ones that are taken; null: any.</summary>
    public IReadOnlyList<string>? Words
    {
        get;
        init => (field, _words) = (value, [.. (value ?? []).Select(Encoding.UTF8.GetBytes)]);
    }

    /// <summary>As in JSON Schema, "^[a-z]+$"; the end is the end, not a last line feed.</summary>
    public string? Pattern
    {
        get;
        init
        {
            field = value;
            // Built when the first text comes: most programs that know a format never read it.
            _form = value is null ? null : new(() => new Regex(
                value.EndsWith('$') ? value[..^1] + @"\z" : value,
                RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture,
                TimeSpan.FromSeconds(1)));
        }
    }

    /// <summary>The pattern, or the words, in words: "a full commit id".</summary>
    public string? InWords { get; init; }
    public int LeastLength { get; init; }
    public int MostLength { get; init; } = int.MaxValue;

    /// <summary>ISO 8601.</summary>
    public bool IsTime { get; init; }

    /// <summary>A time to the second or finer, and with Z.</summary>
    public bool IsUtc { get; init; }

    internal override string Noun => Words switch
    {
        null => IsTime ? IsUtc ? "a time in UTC (2026-03-01T14:05:09Z)" : "a time (ISO 8601)" : InWords ?? (Pattern is null ? "text" : $"text of the form {Pattern}"),
        _ when InWords is not null => InWords,
        [var word] => $"\"{word}\"",
        _ => $"one of {string.Join(", ", Words)}",
    };

    internal override bool Takes(JsonValueKind kind) => kind == JsonValueKind.String;

    /// <summary>Null when it is what it should be.</summary>
    [MethodImpl(Optimize.AtFirstCall)]
    internal string? Wrong(string text) =>
        Words?.Contains(text, StringComparer.Ordinal) == false || !HasForm(text) ? $"must be {Noun}"
        : text.Length < LeastLength ? Invariant($"must have at least {LeastLength} characters")
        : text.Length > MostLength ? Invariant($"must have at most {MostLength} characters, has {text.Length}")
        : null;

    [MethodImpl(Optimize.AtFirstCall)]
    private protected override void CheckValue(JsonElement value, Validation validation)
    {
        // The file's bytes are valid UTF-8, so only an escape can be half a character.
        var isFree = Words is null && Pattern is null && LeastLength == 0 && MostLength == int.MaxValue && !IsTime;
        if (isFree && !JsonMarshal.GetRawUtf8Value(value).Contains((byte)'\\'))
        {
            return;
        }

        try
        {
            if (IsOneOf(value))
            {
                return;
            }

            if (value.GetString() is var text && Wrong(text!) is { } wrong)
            {
                var near = Words is not { Count: > 1 } || text!.Length > LongestSuggested ? [] : NearestNames.Near(text, Words);
                validation.Add(wrong, near.Count > 0 ? NearestNames.Suggest(text!, near) : null);
            }
            else if (IsTime && !(value.TryGetDateTimeOffset(out _) && (!IsUtc || EndsAsUtc(Encoding.UTF8.GetBytes(value.GetString()!)))))
            {
                validation.Add($"must be {Noun}");
            }
        }
        catch (InvalidOperationException)
        {
            validation.Add("holds half a surrogate pair, which is no character");
        }
    }

    private protected override JsonObject Schema(Func<MemberInfo, string?> describe)
    {
        if (Words is not null)
        {
            return new() { ["enum"] = new JsonArray([.. Words.Select(word => (JsonNode)word)]) };
        }

        var schema = new JsonObject { ["type"] = "string" };
        Set(schema, "pattern", IsUtc ? UtcPattern : Pattern);
        Set(schema, "format", IsTime ? "date-time" : null);
        Set(schema, "minLength", LeastLength > 0 ? LeastLength : null);
        Set(schema, "maxLength", MostLength < int.MaxValue ? MostLength : null);
        return schema;
    }

    // No text is made of a word that is right.
    [MethodImpl(Optimize.AtFirstCall)]
    private bool IsOneOf(JsonElement value)
    {
        foreach (var word in _words)
        {
            if (value.ValueEquals(word))
            {
                return true;
            }
        }

        return false;
    }

    // 2026-03-01T14:05:09Z is the shortest.
    internal static bool EndsAsUtc(ReadOnlySpan<byte> time) => time.Length >= 20 && time.EndsWith((byte)'Z');

    private bool HasForm(string text)
    {
        try
        {
            return _form?.Value.IsMatch(text) != false;
        }
        catch (RegexMatchTimeoutException)
        {
            return false;
        }
    }
}
