using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace PerfLab.Core.Files;

/// <inheritdoc/>
/// <typeparam name="T">The record that says what is in the file.</typeparam>
public sealed class FileFormat<T>(string schema, string title) : FileFormat(typeof(T), schema, title)
    where T : class
{
    /// <summary>A value, or all problems at once. What is read here, <see cref="Write(T)"/> gives back byte for byte.</summary>
    public FileReading<T> Read(ReadOnlyMemory<byte> utf8) => Read(utf8, withRules: true);

    /// <summary>The same from YAML, each problem with its line.</summary>
    public FileReading<T> Read(Node tree)
    {
        var (json, lines) = NodeJson.Of(tree, Shape);
        var reading = Read(json);
        return reading with { Problems = [.. reading.Problems.Select(lines.Placed)] };
    }

    /// <inheritdoc cref="Read(ReadOnlyMemory{byte})"/>
    public FileReading<T> Read(string text) => Read(Encoding.UTF8.GetBytes(text));

    /// <summary>Values one after the other, as they come: the progress of something long.</summary>
    /// <exception cref="JsonException">What comes is no JSON.</exception>
    public async IAsyncEnumerable<FileReading<T>> ReadEachAsync(Stream utf8, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (var value in JsonSerializer.DeserializeAsyncEnumerable<JsonElement>(utf8, topLevelValues: true, Options, cancellationToken))
        {
            yield return Read(JsonMarshal.GetRawUtf8Value(value).ToArray());
        }
    }

    public override IReadOnlyList<Problem> Problems(ReadOnlyMemory<byte> utf8, bool withRules = true) => Read(utf8, withRules).Problems;

    /// <summary>The file's whole text, ASCII, ending in a line feed; the same value gives the same bytes under every culture.</summary>
    /// <exception cref="ArgumentException">A value is NaN or infinite: a bug, never a result.</exception>
    public string Write(T value) => JsonSerializer.Serialize(value, Options) + "\n";

    /// <summary>The same as UTF-8, piece by piece: a plan of 100,000 cells is a gigabyte.</summary>
    public void Write(T value, Stream utf8)
    {
        WritePart(value, utf8);
        utf8.WriteByte((byte)'\n');
    }

    /// <summary>A part of a value as it is in the file, for its hash.</summary>
    public void WritePart<TPart>(TPart part, Stream utf8) => JsonSerializer.Serialize(utf8, part, Options);

    [MethodImpl(Optimize.AtFirstCall)]
    private FileReading<T> Read(ReadOnlyMemory<byte> utf8, bool withRules)
    {
        var validation = new Validation(IsForeign ? "the answer" : "the file");
        T? value = null;
        try
        {
            using var document = Open(utf8, validation);
            if (!validation.HasProblems)
            {
                value = document?.Deserialize<T>(Options);
                if (withRules)
                {
                    Shape.Judge(value!, validation);
                }
            }
        }
        catch (JsonException broken)
        {
            Add(broken, validation);
        }

        return new(validation.HasProblems ? null : value, validation.Problems);
    }
}
