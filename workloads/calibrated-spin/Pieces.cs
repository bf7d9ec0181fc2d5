using System.Diagnostics;
using System.Security.Cryptography;

namespace PerfLab.Workloads.CalibratedSpin;

/// <summary>One piece of the fixed work, about a tenth of a millisecond, with its share of the injected effect.</summary>
internal interface IPiece
{
    /// <summary>Does the piece; returns the iterations of arithmetic that it had.</summary>
    long Run();
}

internal static class Pieces
{
    /// <summary>Iterations of one piece without any effect.</summary>
    public const int Iterations = 65_536;

    public const int PerUnitOfWork = 10;

    public static IPiece Of(string effect, double slower) => effect switch
    {
        "sleep" => new SleepPiece(slower),
        "alloc" => new AllocPiece(slower),
        "noise" => new SpinPiece(slower * ((2 * Uniform()) - 1)),
        _ => new SpinPiece(slower),
    };

    // Not seeded: noise is what differs between launches of one arm.
    private static double Uniform() => RandomNumberGenerator.GetInt32(int.MaxValue) / (double)int.MaxValue;
}

/// <summary>Adds exactly its share of arithmetic: what one piece rounds away the next ones make up for.</summary>
internal sealed class SpinPiece(double share) : IPiece
{
    private readonly double _iterations = Pieces.Iterations * Math.Max(0.01, 1 + share);
    private ulong _state = 1;
    private double _owed;

    public long Run()
    {
        _owed += _iterations;
        var iterations = (long)_owed;
        _owed -= iterations;
        _state = Arithmetic.Spin(_state, iterations);
        return iterations;
    }
}

/// <summary>Adds its share of waiting: the time grows, the CPU time does not.</summary>
internal sealed class SleepPiece(double share) : IPiece
{
    // Sleeps overshoot; the debt is settled by what they really took, so the sum is right whatever one sleep does.
    private static readonly TimeSpan Settle = TimeSpan.FromMilliseconds(2);

    private readonly SpinPiece _spin = new(0);
    private TimeSpan _debt;

    public long Run()
    {
        var start = Stopwatch.GetTimestamp();
        var iterations = _spin.Run();
        _debt += Since(start) * share;
        if (_debt >= Settle)
        {
            var asleep = Stopwatch.GetTimestamp();
            Thread.Sleep(_debt);
            _debt -= Since(asleep);
        }

        return iterations;
    }

    // Stopwatch.GetElapsedTime came with .NET 7.
    private static TimeSpan Since(long start) => TimeSpan.FromSeconds((Stopwatch.GetTimestamp() - start) / (double)Stopwatch.Frequency);
}

/// <summary>Allocates 16 KiB a piece and its share more: allocated bytes grow by the share, the time by what the allocator costs.</summary>
internal sealed class AllocPiece(double share) : IPiece
{
    private const int Block = 1024;
    private const double BlocksPerPiece = 16;

    private readonly SpinPiece _spin = new(0);
    private double _owed;
    private byte[]? _last;

    public long Run()
    {
        for (_owed += BlocksPerPiece * (1 + share); _owed >= 1; _owed--)
        {
            _last = new byte[Block];
        }

        GC.KeepAlive(_last);
        return _spin.Run();
    }
}
