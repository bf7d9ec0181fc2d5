using PerfLab.Core.Model;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Flow;

/// <summary>One of several places that measure at once.</summary>
/// <param name="Number">From 1.</param>
/// <param name="Count">How many there are.</param>
/// <param name="Cpus">Its cores of this machine, which no other lane has; null: its nodes of a cluster are its own.</param>
/// <param name="Line">Of all lanes.</param>
internal sealed record Lane(int Number, int Count, IReadOnlyList<int>? Cpus, ProgressLine Line)
{
    /// <summary>The machine's facts, and which part of it this was.</summary>
    public JsonObject Of(JsonObject facts)
    {
        if (Cpus is null)
        {
            return facts;
        }

        var own = facts.DeepClone().AsObject();
        own["lane"] = new JsonObject { ["number"] = Number, ["of"] = Count, ["cpus"] = CpuList.Format([.. Cpus]) };
        return own;
    }

    /// <summary>Says which lane and shard it is of.</summary>
    public IProgress<SessionProgress> Progress(int? shard) => new Named(Line, Invariant($"lane {Number}, shard {shard}: "));

    // Lanes report from several threads, and draw one line.
    private sealed class Named(ProgressLine line, string name) : IProgress<SessionProgress>
    {
        public void Report(SessionProgress value)
        {
            lock (line)
            {
                line.Report(value with { Doing = name + value.Doing });
            }
        }
    }
}
