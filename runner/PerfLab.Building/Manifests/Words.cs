using System.Text.Json.Serialization;
using System.Text.RegularExpressions;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Building.Manifests;

/// <summary>What names in our YAML files are made of.</summary>
public static partial class NameForm
{
    internal const string Pattern = "^[a-z0-9][a-z0-9-]{0,63}$", InWords = "a name of a-z, 0-9 and -, with at most 64 characters";

    /// <summary>
    /// A name out of a folder's or a file's: "My.Benchmarks" is my-benchmarks; "workload" where nothing of it can be in a name.
    /// </summary>
    public static string Derive(string text)
    {
        var name = Others().Replace(text.ToLowerInvariant(), "-").Trim('-');
        return name.Length == 0 ? "workload" : name[..Math.Min(name.Length, 64)].TrimEnd('-');
    }

    [GeneratedRegex("[^a-z0-9]+", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex Others();
}

/// <summary>A value that is text to us, however YAML reads it: 8, 0.10, true, "8".</summary>
[JsonConverter(typeof(Converter))]
public sealed record Scalar(string Text)
{
    public override string ToString() => Text;

    private sealed class Converter() : WordConverter<Scalar>(new EitherShape(new TextShape(), new NumberShape(), new FlagShape()), text => new(text));
}

/// <summary>"500ms", "2s", "5m".</summary>
[JsonConverter(typeof(Converter))]
public sealed record Duration(string Text)
{
    public const string Pattern = @"^[0-9]{1,9}(\.[0-9]{1,9})?(ms|s|m)$", Form = "a duration such as 500ms, 2s or 5m";

    public double Seconds => Text.EndsWith("ms", StringComparison.Ordinal) ? Number(2) / 1000 : Number(1) * (Text.EndsWith('m') ? 60 : 1);

    public override string ToString() => Text;

    private double Number(int unit) => double.Parse(Text.AsSpan(0, Text.Length - unit), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture);

    private sealed class Converter() : WordConverter<Duration>(
        new TextShape { Pattern = Duration.Pattern, InWords = Form }, text => new(text));
}

/// <summary>"512MiB", "2GiB".</summary>
[JsonConverter(typeof(Converter))]
public sealed record MemorySize(string Text)
{
    public long Bytes => MemoryText.Bytes(Text)!.Value;

    public override string ToString() => Text;

    private sealed class Converter() : WordConverter<MemorySize>(
        new TextShape { Pattern = MemoryText.Pattern, InWords = MemoryText.InWords }, text => new(text));
}

/// <summary>A type that one word of a file says.</summary>
internal abstract class WordConverter<T>(Shape shape, Func<string, T> make) : JsonConverter<T>, IShaped
    where T : class
{
    public Shape Shape => shape;

    public override T Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        make(reader.TokenType == JsonTokenType.String ? reader.GetString()! : Encoding.UTF8.GetString(reader.ValueSpan));

    public override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options) => writer.WriteStringValue(value.ToString());
}
