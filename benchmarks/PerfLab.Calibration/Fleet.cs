using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Calibration;

/// <summary>What goes wrong with a fleet's machines, each named by its place from 0.</summary>
public sealed record FleetFaults(string Name)
{
    /// <summary>Never there.</summary>
    public int? Absent { get; init; }

    /// <summary>Gone for good after half of what each machine has to do, with whatever it had not handed in.</summary>
    public int? Dies { get; init; }

    /// <summary>Takes three times as long for everything.</summary>
    public int? Slow { get; init; }

    public static IReadOnlyList<FleetFaults> All { get; } =
    [
        new("none"),
        new("one machine never comes") { Absent = 2 },
        new("one dies at half") { Dies = 3 },
        new("one is three times slower") { Slow = 4 },
        new("all three of them") { Absent = 2, Dies = 3, Slow = 4 },
    ];
}

/// <summary>How one fleet fared.</summary>
/// <param name="FirstSeconds">Until every machine that was there had handed in what it had, and there was an answer.</param>
/// <param name="FirstFailed">Cells that had failed in that answer, all of them named.</param>
/// <param name="WholeSeconds">Until nothing was missing.</param>
/// <param name="Twice">Launches that had to be made again.</param>
/// <param name="Launches">All that count in the end.</param>
/// <param name="Lost">Cells without a row of their own in the end.</param>
/// <param name="Found">Truly slower cells that were called regressed in the end.</param>
/// <param name="FalseFlags">Others that were flagged.</param>
/// <param name="MachineHours">Of all machines, from their start to their end.</param>
public sealed record FleetAnswer(
    double FirstSeconds, int FirstFailed, double WholeSeconds, int Twice, int Launches, int Lost, int Found, int FalseFlags,
    double MachineHours);

/// <summary>
/// One plan on several machines with faults, through the product's own plan, shards, screen and comparison; only time and values are
/// made up. Machines draw shards: with as many shards as machines each has one, with more the next one goes to whoever is free, so that a
/// fault costs less.
/// </summary>
/// <param name="cells">Of the plan; the first ten are truly 5 % slower in head.</param>
/// <param name="machines">That were asked for. Their noise is as 1 : 2 : 4 : 8, in turns.</param>
/// <param name="seed">Of all values.</param>
public sealed class Fleet(int cells, int machines, ulong seed)
{
    public const int Slower = 10;

    private const double Change = 0.05;
    private const double Noise = 0.005;
    private const double StartSeconds = 60;
    private const double SlowFactor = 3;

    private readonly RunPlan _plan = FleetPlan.Of(cells);

    public FleetAnswer Run(FleetFaults faults, int shards)
    {
        var plan = Shards.Split(_plan, shards);
        var journals = Enumerable.Range(1, shards).Select(shard => Measured(plan, shard)).ToList();
        var seconds = journals.Select(FleetPlan.Seconds).ToList();
        var death = StartSeconds + (seconds.Sum() / machines / 2);

        // Each machine takes the next shard when it is free. Who has one shard only waits for nobody: what is lost there is lost at first.
        var queue = new Queue<int>(Enumerable.Range(0, shards));
        var (free, ends) = (new PriorityQueue<int, double>(), new Dictionary<int, double>());
        var (isBound, missing, twice, lostAt) = (shards == machines, new List<int>(), 0, new Dictionary<int, double>());
        for (var machine = 0; machine < machines; machine++)
        {
            if (machine == faults.Absent && isBound)
            {
                missing.Add(queue.Dequeue());
            }
            else if (machine == faults.Absent)
            {
                continue;
            }
            else if (isBound)
            {
                Take(machine, StartSeconds, queue.Dequeue());
            }
            else
            {
                free.Enqueue(machine, StartSeconds);
            }
        }

        Draw();
        var first = ends.Values.Max();
        var answer = Compared([.. Enumerable.Range(0, shards).Where(shard => !missing.Contains(shard))]);
        var failed = answer.Summary.Failed;
        if (missing.Count > 0)
        {
            // Somebody measures what is missing again, on the machines that are left.
            free.Clear();
            ends.Keys.Where(machine => machine != faults.Dies).ToList().ForEach(machine => free.Enqueue(machine, first));

            missing.Order().ToList().ForEach(queue.Enqueue);
            missing.Clear();
            Draw();
            answer = Compared([.. Enumerable.Range(0, shards)]);
        }

        var flagged = answer.Cells.Where(row => row.Primary && row.Verdict is Verdict.Regressed or Verdict.Improved).ToList();
        var found = flagged.Count(row => row.Verdict == Verdict.Regressed && IsSlower(row.Cell));
        return new(first, failed, ends.Values.Max(), twice, journals.Sum(journal => journal.Launches.Count),
            cells - answer.Cells.Where(row => row.Primary && row.Verdict != Verdict.Failed).DistinctBy(row => row.Cell, StringComparer.Ordinal).Count(),
            found, flagged.Count - found, ends.Values.Sum() / 3600);

        void Draw()
        {
            while (queue.Count > 0 && free.TryDequeue(out var machine, out var now))
            {
                Take(machine, now, queue.Dequeue());
            }
        }

        void Take(int machine, double now, int shard)
        {
            var length = seconds[shard] * (machine == faults.Slow ? SlowFactor : 1);
            now = Math.Max(now, lostAt.GetValueOrDefault(shard));
            if (machine != faults.Dies || now + length <= death)
            {
                ends[machine] = now + length;
                free.Enqueue(machine, ends[machine]);
                return;
            }

            (ends[machine], lostAt[shard]) = (death, death);
            twice += (int)(journals[shard].Launches.Count * Math.Max(0, death - now) / length);
            (isBound ? missing : null)?.Add(shard);
            if (!isBound)
            {
                queue.Enqueue(shard);
            }
        }

        Comparison Compared(IReadOnlyList<int> present) => Comparer.Compare(
            JoinedShards.Of(plan, [.. present.Select(shard => new ShardJournal($"shard {shard + 1}", journals[shard], null))]),
            new(plan.Policy, "plan"));
    }

    private static bool IsSlower(string cell) => FleetPlan.Number(cell) < Slower;

    /// <summary>The journal of one shard: every screen round, and the confirm rounds of what the product's own rule keeps.</summary>
    private SampleSet Measured(RunPlan plan, int shard)
    {
        var factor = FalseFlagRate.Unequal[(shard - 1) % machines % FalseFlagRate.Unequal.Count];
        var only = Shards.Only(plan, shard);
        var random = only.Cells.ToDictionary(cell => cell.Id, cell => SeededRandom.For(seed, cell.Id), StringComparer.Ordinal);
        var header = FleetPlan.Header(plan, only, shard);
        List<Launch> screen = [.. only.Screen.SelectMany(round => Launches(Stage.Screen, round))];
        var kept = Screening.Decide(new SampleSet { Header = header, Launches = screen, Voids = [], Complete = false }, plan.Policy)
            .Where(pair => pair.Kept).Select(pair => pair.Cell).ToHashSet(StringComparer.Ordinal);
        return new()
        {
            Header = header,
            Launches =
            [
                .. screen,
                .. only.Confirm.Where(round => kept.Contains(round.Cell)).SelectMany(round => Launches(Stage.Confirm, round)),
            ],
            Voids = [],
            Complete = true,
        };

        IEnumerable<Launch> Launches(Stage stage, PlannedRound round)
        {
            var seconds = FleetPlan.LaunchSeconds(FleetPlan.Number(round.Cell));
            foreach (var (position, arm) in round.Order.Index())
            {
                var change = arm == "head" && IsSlower(round.Cell) ? Math.Log(1 + Change) : 0;
                var noise = Noise * factor * random[round.Cell].NextNormal();
                yield return FleetPlan.Launch(stage, round, position, Math.Exp(change + noise), seconds);
            }
        }
    }
}
