namespace PerfLab.Workloads.Actors;

/// <summary>What pairs are asked for.</summary>
internal sealed class PairSettings(int pairs, int inFlight, int batch)
{
    /// <summary>Client and destination pairs.</summary>
    public int Pairs => pairs;

    /// <summary>Messages on their way per pair.</summary>
    public int InFlight => inFlight;

    /// <summary>Messages that an actor handles at most before it gives its thread back (dispatcher throughput in Akka's words).</summary>
    public int Batch => batch;
}
