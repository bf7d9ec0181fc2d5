namespace PerfLab.Core.Files;

/// <summary>
/// A tree as JSON. The shape decides what a plain scalar is: where text is wanted 8.0 stays "8.0", where a number or a flag is wanted it
/// becomes one.
/// </summary>
internal sealed class NodeJson
{
    /// <summary>Deeper than any format: the JSON reader then says so.</summary>
    private const int MostDepth = 40;

    private readonly Utf8JsonWriter _json;
    private readonly Validation _walk = new();
    private readonly Dictionary<string, (int Line, string? Text)> _lines = new(StringComparer.Ordinal);

    private NodeJson(Utf8JsonWriter json) => _json = json;

    public static (ReadOnlyMemory<byte> Json, NodeLines Lines) Of(Node tree, Shape shape)
    {
        using var buffer = new MemoryStream();
        using var json = new Utf8JsonWriter(buffer);
        var conversion = new NodeJson(json);
        conversion.Write(tree, shape, tree.Line, 0);
        json.Flush();
        return (buffer.GetBuffer().AsMemory(0, (int)buffer.Length), new(conversion._lines));
    }

    private void Write(Node node, Shape? shape, int line, int depth)
    {
        _lines[_walk.Path] = (line, (node as TextNode)?.Text);
        switch (node)
        {
            case TextNode text:
                WriteScalar(text, shape);
                break;
            case ListNode list when depth < MostDepth:
                _json.WriteStartArray();
                foreach (var (index, item) in list.Items.Index())
                {
                    _walk.Enter(index);
                    Write(item, ItemOf(shape), item.Line, depth + 1);
                    _walk.Leave();
                }

                _json.WriteEndArray();
                break;
            case MapNode map when depth < MostDepth:
                _json.WriteStartObject();
                foreach (var (key, value) in map.Members)
                {
                    _json.WritePropertyName(key.Text);
                    _walk.Enter(key.Text);
                    Write(value, MemberOf(shape, map, key.Text), key.Line, depth + 1);
                    _walk.Leave();
                }

                _json.WriteEndObject();
                break;
            default:
                _json.WriteNullValue();
                break;
        }
    }

    private void WriteScalar(TextNode node, Shape? shape)
    {
        var text = node.Text;
        if (!node.IsPlain)
        {
            _json.WriteStringValue(text);
        }
        else if (text is "" or "~" or "null")
        {
            _json.WriteNullValue();
        }
        else if (text is "true" or "false" && shape?.Takes(JsonValueKind.True) == true)
        {
            _json.WriteBooleanValue(text == "true");
        }
        else if (shape?.Takes(JsonValueKind.Number) == true && IsNumber(text))
        {
            _json.WriteRawValue(text);
        }
        else
        {
            _json.WriteStringValue(text);
        }
    }

    // As JSON writes numbers: 0x10, 1_000, .5 and 010 are texts here, and the problem says so.
    private static bool IsNumber(string text)
    {
        const NumberStyles style = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;
        if (!double.TryParse(text, style, CultureInfo.InvariantCulture, out _))
        {
            return false;
        }

        var digits = text.TrimStart('-');
        return char.IsAsciiDigit(digits[0]) && !digits.EndsWith('.') && !digits.Contains(".e", StringComparison.OrdinalIgnoreCase)
            && (digits.Length == 1 || digits[0] != '0' || !char.IsAsciiDigit(digits[1]));
    }

    private static Shape? ItemOf(Shape? shape) => shape switch
    {
        ListShape list => list.Items,
        EitherShape either => ItemOf(either.Choices.FirstOrDefault(choice => choice.Takes(JsonValueKind.Array))),
        AnyShape any => any,
        _ => null,
    };

    private static Shape? MemberOf(Shape? shape, MapNode map, string name) => shape switch
    {
        ObjectShape record => record.Members.FirstOrDefault(member => member.Name == name)?.Shape ?? record.Others,
        KindShape kinds => map.Members.FirstOrDefault(member => member.Key.Text == kinds.Name).Value is TextNode word
            ? MemberOf(kinds.Kinds.GetValueOrDefault(word.Text), map, name) : null,
        EitherShape either => MemberOf(either.Choices.FirstOrDefault(choice => choice.Takes(JsonValueKind.Object)), map, name),
        AnyShape any => any,
        _ => null,
    };
}

/// <summary>Member path -> line, and what is written there.</summary>
internal sealed class NodeLines(IReadOnlyDictionary<string, (int Line, string? Text)> lines)
{
    private const int MostShown = 40;

    /// <summary>"machines.ryzen.kind" -> "line 12, machines.ryzen.kind"; what is missing has the line of what it is missing in.</summary>
    public Problem Placed(Problem problem)
    {
        var (path, what) = (problem.Where, problem.What);
        if (lines.GetValueOrDefault(path).Text is { Length: > 0 } text && what.StartsWith("must be ", StringComparison.Ordinal))
        {
            var wanted = what.Split(", is ")[0];
            what = $"{wanted}, is '{Validation.Shown(text, MostShown)}'";
        }

        var known = path;
        while (!lines.ContainsKey(known))
        {
            known = known[..Math.Max(0, known.LastIndexOfAny(['.', '[']))];
        }

        return problem with { Where = Invariant($"line {lines[known].Line}, {path}"), What = what };
    }
}
