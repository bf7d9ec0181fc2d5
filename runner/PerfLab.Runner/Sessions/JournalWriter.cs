using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Machine.Kernel;

namespace PerfLab.Runner.Sessions;

/// <summary>The journal could not be written: disk full, storage error. What was synced before stays readable.</summary>
internal sealed class JournalException(string cameBack, Exception? inner = null) : LabException(
    "writing the journal", cameBack,
    "free some space (`./perf-lab clean` removes builds, images and checkouts), then `--resume` the session: what was synced is kept", inner);

/// <summary>
/// Appends records to samples.ndjson, each written and synced before the next launch starts. After a failed write the half record is cut
/// off again; after a failed sync nothing is retried, because the kernel may have dropped the data and would then report success.
/// </summary>
public sealed class JournalWriter : IDisposable
{
    private readonly Stream _stream;
    private readonly Action _sync;
    private long _length;
    private bool _broken;

    /// <param name="stream">Positioned at the end of the valid records.</param>
    /// <param name="sync">Makes what was written durable (fsync).</param>
    /// <param name="nextSeq">Number of the next record.</param>
    public JournalWriter(Stream stream, Action sync, long nextSeq = 0)
    {
        (_stream, _sync, NextSeq) = (stream, sync, nextSeq);
        _length = stream.Position;
    }

    public long NextSeq { get; private set; }

    /// <summary>Creates the file, which must not exist, and makes its name durable.</summary>
    public static JournalWriter Create(string path)
    {
        var stream = new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 0);
        DirectorySync.Sync(Path.GetDirectoryName(Path.GetFullPath(path))!);
        return new(stream, () => stream.Flush(flushToDisk: true));
    }

    /// <summary>Opens an interrupted journal; a torn tail is set aside as .torn and cut off.</summary>
    public static JournalWriter Reopen(string path, JournalContents contents)
    {
        var stream = new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.Read, bufferSize: 0);
        stream.Position = contents.ValidBytes;
        if (stream.Length > contents.ValidBytes)
        {
            using var torn = new FileStream(path + ".torn", FileMode.Create, FileAccess.Write);
            stream.CopyTo(torn);
            stream.SetLength(contents.ValidBytes);
            stream.Position = contents.ValidBytes;
        }

        EndLastLine(stream);
        return new(stream, () => stream.Flush(flushToDisk: true), contents.NextSeq);
    }

    /// <summary>Writes one record under the next number.</summary>
    public void Append(JournalRecord record)
    {
        if (_broken)
        {
            throw new JournalException("the journal can't be written any more after an earlier error.");
        }

        var bytes = JournalLine.Of(NextSeq, record);
        try
        {
            _stream.Write(bytes);
        }
        catch (IOException exception)
        {
            _broken = true;
            CutHalfRecord();
            throw new JournalException($"record #{NextSeq} could not be written to the journal: {exception.Message}", exception);
        }

        try
        {
            _sync();
        }
        catch (IOException exception)
        {
            _broken = true;
            throw new JournalException($"record #{NextSeq} could not be made durable: {exception.Message}", exception);
        }

        _length += bytes.Length;
        NextSeq++;
    }

    public void Dispose() => _stream.Dispose();

    /// <summary>A valid last record that lost only its line feed gets it back.</summary>
    private static void EndLastLine(FileStream stream)
    {
        if (stream.Position == 0)
        {
            return;
        }

        stream.Position--;
        if (stream.ReadByte() != '\n')
        {
            stream.WriteByte((byte)'\n');
        }
    }

    private void CutHalfRecord()
    {
        try
        {
            _stream.SetLength(_length);
        }
        catch (Exception exception) when (exception is IOException or NotSupportedException)
        {
            // The reader leaves a torn last record out by itself; cutting it here is only tidiness.
        }
    }
}
