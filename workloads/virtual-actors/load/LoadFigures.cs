using System.Globalization;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>What one client saw, or several together. Histograms are merged; nothing is an average of averages.</summary>
internal sealed class LoadFigures
{
    /// <summary>Messages, or activations, that were answered in the measured time.</summary>
    public required long Count { get; init; }

    /// <summary>Messages that were answered from the start on, warm-up included.</summary>
    public required long Answered { get; init; }

    /// <summary>The longest measured time of a client.</summary>
    public required double Seconds { get; init; }

    /// <summary>Messages a second: the sum over clients.</summary>
    public required double PerSecond { get; init; }

    /// <summary>Mean of all latencies, in seconds.</summary>
    public double MeanLatency => LatencySum / Math.Max(1, Latency.Count);

    public required double LatencySum { get; init; }

    public required LatencyHistogram Latency { get; init; }

    public required long Errors { get; init; }

    public string? FirstError { get; init; }

    /// <summary>Share of the busiest client's cores that it used, 0 to 1.</summary>
    public required double ClientShare { get; init; }

    /// <summary>What a client in the same process holds, so that it is no difference between the heap before and after.</summary>
    public object? Kept { get; init; }

    /// <param name="processorSeconds">Of this client while it measured.</param>
    public static LoadFigures Of(IReadOnlyList<Worker> workers, long count, double seconds, double processorSeconds, object? kept = null)
    {
        var latency = new LatencyHistogram();
        foreach (var worker in workers)
        {
            latency.Add(worker.Latency);
        }

        return new()
        {
            Count = count,
            Answered = workers.Sum(worker => worker.Done),
            Seconds = seconds,
            PerSecond = count / seconds,
            LatencySum = workers.Sum(worker => worker.Seconds),
            Latency = latency,
            Errors = workers.Sum(worker => worker.Errors),
            FirstError = workers.Select(worker => worker.FirstError).FirstOrDefault(error => error is not null),
            ClientShare = processorSeconds / seconds / Environment.ProcessorCount,
            Kept = (workers, kept),
        };
    }

    /// <summary>Processor time of this process and the client's sidecars so far, in seconds.</summary>
    public static double ProcessorSeconds(IActorClient client) => NodeFigures.Here(client.Sidecars, collect: false).ProcessorSeconds;

    public LoadFigures With(LoadFigures other)
    {
        var latency = new LatencyHistogram();
        latency.Add(Latency);
        latency.Add(other.Latency);
        return new()
        {
            Count = Count + other.Count,
            Answered = Answered + other.Answered,
            Seconds = Math.Max(Seconds, other.Seconds),
            PerSecond = PerSecond + other.PerSecond,
            LatencySum = LatencySum + other.LatencySum,
            Latency = latency,
            Errors = Errors + other.Errors,
            FirstError = FirstError ?? other.FirstError,
            ClientShare = Math.Max(ClientShare, other.ClientShare),
            Kept = (Kept, other.Kept),
        };
    }

    /// <exception cref="WrongAnswerException">Any message failed.</exception>
    public void RefuseErrors()
    {
        if (Errors > 0)
        {
            throw new WrongAnswerException($"{Errors} messages failed, the first: {FirstError}");
        }
    }

    public string ToLine() => string.Join('\t', new[]
    {
        Count.ToString(CultureInfo.InvariantCulture), Number(Seconds), Number(PerSecond), Number(LatencySum), Number(ClientShare),
        Errors.ToString(CultureInfo.InvariantCulture), (FirstError ?? "").ReplaceLineEndings(" ").Replace('\t', ' '),
        string.Join(' ', Latency.Buckets().Select(bucket => string.Create(CultureInfo.InvariantCulture, $"{bucket.Nanoseconds}:{bucket.Count}"))),
        Answered.ToString(CultureInfo.InvariantCulture),
    });

    public static LoadFigures Parse(string line)
    {
        var parts = line.Split('\t');
        var latency = new LatencyHistogram();
        foreach (var bucket in parts[7].Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(text => text.Split(':')))
        {
            latency.Record(long.Parse(bucket[0], CultureInfo.InvariantCulture) / 1e9, long.Parse(bucket[1], CultureInfo.InvariantCulture));
        }

        return new()
        {
            Count = long.Parse(parts[0], CultureInfo.InvariantCulture),
            Seconds = Number(parts[1]),
            PerSecond = Number(parts[2]),
            LatencySum = Number(parts[3]),
            ClientShare = Number(parts[4]),
            Errors = long.Parse(parts[5], CultureInfo.InvariantCulture),
            FirstError = parts[6].Length == 0 ? null : parts[6],
            Latency = latency,
            Answered = long.Parse(parts[8], CultureInfo.InvariantCulture),
        };
    }

    private static string Number(double value) => value.ToString("R", CultureInfo.InvariantCulture);

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}
