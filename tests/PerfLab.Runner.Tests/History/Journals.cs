using PerfLab.Core.Journal;
using PerfLab.Core.Model;

namespace PerfLab.Runner.Tests.History;

/// <summary>Journals as sessions leave them, made by hand.</summary>
internal static class Journals
{
    public static readonly DateTimeOffset Start = new(2026, 3, 1, 12, 0, 0, TimeSpan.Zero);

    private static readonly Metric Time = new("time", "s", Better.Lower, Primary: true);

    /// <param name="id">Of the session.</param>
    /// <param name="slower">ln(arm / reference) without noise, in each of 20 rounds.</param>
    /// <param name="day">Days after <see cref="Start"/>.</param>
    /// <param name="arms">Id and commit of the reference and of the arms; null as commit: an arm without a dimension, all of one build.</param>
    public static byte[] Of(string id, double slower = 0, int day = 0, string workload = "some-workload", string cpu = "cpu", (string Id, string? Commit)[]? arms = null, bool isComplete = true, double anchor = 1, string own = "source", int? shard = null, double noise = 0.001)
    {
        arms ??= [("base", "aaaaaaa"), ("head", "bbbbbbb")];
        var header = new SessionHeader
        {
            Session = id,
            Plan = "sha256:plan",
            Seed = 7,
            Shard = shard,
            Started = Start.AddDays(day),
            Executor = "process",
            Machine = new() { ["cpu"] = new System.Text.Json.Nodes.JsonObject { ["model"] = cpu } },
            Cells =
            [
                new()
                {
                    Id = "c001",
                    Workload = workload,
                    Dimensions = new Dictionary<string, string> { ["runtime"] = "net10.0.14" },
                    Parameters = new Dictionary<string, string>(),
                    Arms = [.. arms.Select(arm => new Arm
                    {
                        Id = arm.Id,
                        Dimensions = arm.Commit is { } commit ? new Dictionary<string, string> { [own] = commit } : new Dictionary<string, string>(),
                        Build = $"sha256:{arm.Commit ?? "same"}",
                    })],
                    Metrics = [Time],
                },
            ],
        };
        var records = new List<JournalRecord> { header };
        for (var round = 0; round < 20; round++)
        {
            foreach (var (position, arm) in arms.Index())
            {
                // A little noise of its own in every round, the same in every journal.
                var wiggle = noise * ((((round * 7) + (position * 3)) % 11) - 5);
                records.Add(new Launch
                {
                    Cell = "c001",
                    Stage = Stage.Confirm,
                    Round = round,
                    Position = position,
                    Arm = arm.Id,
                    Started = header.Started.AddSeconds(round),
                    WallSeconds = 1,
                    Outcome = Outcome.Measured,
                    Metrics = new Dictionary<string, double> { ["time"] = anchor * Math.Exp(wiggle + (position == arms.Length - 1 ? slower : 0)) },
                });
            }
        }

        if (isComplete)
        {
            records.Add(new SessionEnd("complete"));
        }

        return [.. records.SelectMany((record, seq) => JournalLine.Of(seq, record))];
    }

    /// <summary>A session of the same build against itself.</summary>
    public static byte[] Aa(string id, double slower = 0, int day = 0) => Of(id, slower, day, arms: [("base", null), ("head", null)]);

    /// <summary>A session of two builds of the same source, laid out differently in memory.</summary>
    public static byte[] Layout(string id, double slower = 0, int day = 0) =>
        Of(id, slower, day, arms: [("base", "1"), ("head", "2")], own: "layout");

    /// <summary>A session of a trend.</summary>
    public static byte[] Trend(string id, string commit, double slower, int day, string workload = "some-workload", string cpu = "cpu", double anchor = 1, double noise = 0.001) =>
        Of(id, slower, day, workload, cpu, [("anchor", "0000000"), ("head", commit)], anchor: anchor, noise: noise);
}
