using System.IO.Compression;
using System.Security.Cryptography;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Trends;

namespace PerfLab.History;

/// <summary>What a session was for.</summary>
public enum SessionKind
{
    /// <summary>Arms against a reference.</summary>
    Comparison,

    /// <summary>The same build against itself.</summary>
    Aa,

    /// <summary>Builds of the same source that differ in nothing but where their code lies in memory.</summary>
    Layout,

    /// <summary>Against a pinned old build: a point of a trend.</summary>
    Trend,

    /// <summary>One arm: values without a comparison.</summary>
    Values,
}

/// <summary>A session as it goes into the history: its journal, byte for byte, and what is made from it to find things quickly.</summary>
public sealed record KeptSession
{
    private const int MostIdChars = 200;

    private KeptSession()
    {
    }

    public required string Id { get; init; }

    /// <summary>SHA-256 of the journal, 64 hexadecimal digits.</summary>
    public required string Hash { get; init; }

    /// <summary>When it was measured; of a commit of the past, when that was made. UTC.</summary>
    public required DateTimeOffset Started { get; init; }
    public required SessionKind Kind { get; init; }
    public required MachineFingerprint Machine { get; init; }
    public required string Executor { get; init; }
    public required bool Complete { get; init; }
    public required int Cells { get; init; }
    public required int Launches { get; init; }

    /// <summary>Numbers that the launches gave: one a launch and metric.</summary>
    public required long Samples { get; init; }

    /// <summary>Whether any row was called regressed or improved.</summary>
    public required bool IsFlagged { get; init; }
    public required IReadOnlyList<SessionPoint> Points { get; init; }

    /// <summary>Length of the journal.</summary>
    public required long Bytes { get; init; }

    /// <summary>The journal, compressed (Brotli).</summary>
    public required byte[] Packed { get; init; }

    /// <summary>From a journal that may come from anywhere.</summary>
    /// <exception cref="LabException">It is damaged, or can't be kept.</exception>
    public static KeptSession Read(ReadOnlyMemory<byte> journal, string name)
    {
        var samples = JournalReader.Read(journal) is { Samples: { } read, Damage: null } ? read : throw new LabException(
            $"reading {name}", JournalReader.Read(journal).Damage!, "use a copy from before the damage; nothing of this journal was kept");
        var policy = samples.Header.Policy is { } written ? new PolicyUsed(written, "journal") : new PolicyUsed(new Policy(), "defaults");
        return Of(journal, samples, Comparer.Compare(samples, policy), name);
    }

    /// <summary>The same, where the journal was read and compared already.</summary>
    public static KeptSession Of(ReadOnlyMemory<byte> journal, SampleSet samples, Comparison comparison, string name)
    {
        var header = samples.Header;
        RefuseId(header.Session, name);
        return new()
        {
            Id = header.Session,
            Hash = Convert.ToHexStringLower(SHA256.HashData(journal.Span)),
            Started = header.PlacedAt ?? header.Started,
            Kind = KindOf(samples),
            Machine = MachineFingerprint.Of(header),
            Executor = header.Executor,
            Complete = samples.Complete,
            Cells = header.Cells.Count,
            Launches = samples.Launches.Count,
            Samples = samples.Launches.Sum(launch => (long)launch.Metrics.Count),
            IsFlagged = comparison.Cells.Any(row => row.Verdict is Verdict.Regressed or Verdict.Improved),
            Points = SessionPoints.Of(samples, comparison),
            Bytes = journal.Length,
            Packed = Pack(journal.Span),
        };
    }

    public static byte[] Unpack(byte[] packed, long bytes)
    {
        var journal = new byte[bytes];
        using var stream = new BrotliStream(new MemoryStream(packed), CompressionMode.Decompress);
        stream.ReadExactly(journal);
        return journal;
    }

    private static byte[] Pack(ReadOnlySpan<byte> journal)
    {
        using var packed = new MemoryStream();
        using (var stream = new BrotliStream(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            stream.Write(journal);
        }

        return packed.ToArray();
    }

    /// <summary>An id is found again by what it looks like, so it must be something to look at.</summary>
    private static void RefuseId(string id, string name)
    {
        if (id.Length is 0 or > MostIdChars || UntrustedText.Line(id) != id)
        {
            throw new LabException(
                $"keeping {name}", Invariant(
                    $"its session id is empty, longer than {MostIdChars} characters, or holds characters that can't be shown"),
                "nothing to do for a journal of our own; one made elsewhere needs an id like 20260301-140509-a1b2");
        }
    }

    private static SessionKind KindOf(SampleSet samples) =>
        samples.Header.Cells.Any(cell => cell.Reference.Id == SeriesName.AnchorArm && cell.Arms.Count > 1) ? SessionKind.Trend
        : SessionPoints.IsAa(samples) ? SessionKind.Aa
        : SessionPoints.IsLayoutAa(samples) ? SessionKind.Layout
        : samples.Header.Cells.Any(cell => cell.Arms.Count > 1) ? SessionKind.Comparison
        : SessionKind.Values;
}
