using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Core.Trends;
using static System.FormattableString;

namespace PerfLab.Calibration.Years;

/// <summary>
/// Replays a made-up year week by week: a session, a look with the state of the week before, an experiment for every change that is due.
/// What was put in is known, so what was found, late, missed or made up can be counted. From the seed alone.
/// </summary>
public sealed class Year
{
    private static readonly DateTimeOffset Begin = new(2026, 1, 4, 3, 0, 0, TimeSpan.Zero);

    private readonly YearSettings _settings;
    private readonly SeededRandom _random;
    private readonly List<KnownChange> _known;
    private readonly double[] _noise;
    private readonly bool[] _isHeavyTailed;
    private readonly List<TrendPoint>[] _points;
    private readonly double[] _machineLevel;
    private readonly Dictionary<(string, string, string), Experiment> _experiments = [];
    private readonly SeriesName[] _names;
    private readonly Dictionary<string, int> _byHash;

    private Year(YearSettings settings)
    {
        _settings = settings;
        _random = SeededRandom.For(settings.Seed, "synthetic year");
        _known = YearPlan.Draw(settings, SeededRandom.For(settings.Seed, "known changes"));
        // From very quiet to what an untuned cloud machine shows for the centre of twenty rounds.
        _noise = [.. Enumerable.Range(0, settings.Series).Select(_ => 0.002 * Math.Pow(5, _random.NextDouble()))];
        _isHeavyTailed = [.. Enumerable.Range(0, settings.Series).Select(_ => _random.Next(4) == 0)];
        _points = [.. Enumerable.Range(0, settings.Series).Select(_ => new List<TrendPoint>())];
        _machineLevel = new double[settings.Machines];
        _names = [.. Enumerable.Range(0, settings.Series).Select(Name)];
        _byHash = _names.Index().ToDictionary(name => name.Item.Hash, name => name.Index, StringComparer.Ordinal);
    }

    public static YearResult Replay(YearSettings settings, Action<int>? progress = null) => new Year(settings).Run(progress);

    private YearResult Run(Action<int>? progress)
    {
        TrendState? state = null;
        var (confirmed, called) = (new Dictionary<string, int>(StringComparer.Ordinal), new int?[_known.Count]);
        var sessions = _settings.Before + _settings.Sessions;
        for (var session = 0; session < sessions; session++)
        {
            Measure(session);
            // Nothing is looked at before the year: that history was looked at by somebody.
            if (session < _settings.Before)
            {
                continue;
            }

            var series = _points.Index().Select(one => new TrendSeries(_names[one.Index], one.Item)).ToList();
            state = TrendLook.Look(series, state, Find);
            foreach (var due in state.Changes.Where(change => change.Status == ChangeStatus.Due))
            {
                Experiment(due);
            }

            // The experiments are sessions like any other: the next look finds them, here at once.
            state = TrendLook.Look(series, state, Find);
            foreach (var change in state.Changes.Where(change => change.Status == ChangeStatus.Confirmed))
            {
                confirmed.TryAdd(change.Id, session);
            }

            CallHostSteps(state, session, called);
            progress?.Invoke(session - _settings.Before);
        }

        return new YearScore(_settings, _known, state!, confirmed, called, [.. _experiments.Values], _byHash).Result();
    }

    private void CallHostSteps(TrendState state, int session, int?[] called)
    {
        for (var known = 0; known < _known.Count; known++)
        {
            if (_known[known].Machine is { } machine && called[known] is null
                && state.Environment.Any(step => step.Machine == MachineName(machine)
                    && Math.Abs(YearPlan.SessionOf(step.After.Session) - _known[known].Session) <= TrendLook.Tolerance))
            {
                called[known] = session - _known[known].Session;
            }
        }
    }

    private void Measure(int session)
    {
        // The machine wanders from week to week; the anchor goes with it, the ratio does not.
        for (var machine = 0; machine < _machineLevel.Length; machine++)
        {
            _machineLevel[machine] = (0.5 * _machineLevel[machine]) + (0.003 * _random.NextNormal());
        }

        for (var series = 0; series < _settings.Series; series++)
        {
            var machine = series % _settings.Machines;
            var host = _known.Where(change => change.Machine == machine && change.Session <= session).Sum(change => change.Size);
            // A new kernel is felt by old and new code alike, and by some new code a little more.
            var uneven = _known.Where(change => change.Machine == machine && change.Session <= session && change.Series.Contains(series))
                .Sum(change => 0.25 * change.Size);
            var change = Code(series, session) + uneven + (_noise[series] * Draw(series));
            var anchor = host + _machineLevel[machine] + (_noise[series] * Draw(series));
            _points[series].Add(new(YearPlan.SessionName(session), Begin.AddDays(7 * session), YearPlan.Commit(session), "anchor", change,
                anchor));
        }
    }

    /// <summary>What commits did to a series up to a session, in log units.</summary>
    private double Code(int series, int session) =>
        _known.Where(change => change.Machine is null && change.Session <= session && change.Series.Contains(series))
            .Sum(change => change.Size);

    private double Draw(int series) => _isHeavyTailed[series] ? T3() : _random.NextNormal();

    /// <summary>Student's t with 3 degrees of freedom (Bailey 1994), scaled to the spread of a normal.</summary>
    private double T3() =>
        Math.Sqrt(3 * (Math.Pow(1 - _random.NextDouble(), -2.0 / 3) - 1)) * Math.Cos(2 * Math.PI * _random.NextDouble()) / Math.Sqrt(3);

    private Experiment? Find(string series, string before, string after) => _experiments.GetValueOrDefault((series, before, after));

    /// <summary>Measures both commits in one session, with the statistics of any comparison of one pair: 28 rounds, exact, two-sided,
    /// margin 1 %.</summary>
    private void Experiment(TrendChange due)
    {
        var member = due.Members[0];
        var series = _byHash[member.Series];
        var (before, after) = (YearPlan.SessionOf(due.Before.Session), YearPlan.SessionOf(due.After.Session));
        var key = (member.Series, due.Before.Commit!, due.After.Commit!);
        if (_experiments.ContainsKey(key))
        {
            return;
        }

        var truth = Code(series, after) - Code(series, before);
        // A point is the centre of twenty rounds; a round scatters by the root of twenty times as much.
        double[] rounds = [.. Enumerable.Range(0, ConfirmLine.Rounds).Select(_ => truth + (Math.Sqrt(20) * _noise[series] * Draw(series)))];
        var (test, policy, walsh) = (SignedRank.Test(rounds), new Policy(), new WalshAverages(rounds));
        var interval = walsh.Interval(policy.Interval);
        var isFlagged = test.TwoSided <= policy.FamilyError && PracticalMargin.Of(policy).IsReachedBy(walsh.Centre, test.Direction);
        _experiments.Add(key, new(
            $"experiment-{_experiments.Count}", Math.Exp(walsh.Centre) - 1, interval is { } low ? Math.Exp(low.Low) - 1 : null,
                interval is { } high ? Math.Exp(high.High) - 1 : null,
            test.TwoSided, rounds.Length, !isFlagged ? Verdict.Undecided : test.Direction > 0 ? Verdict.Regressed : Verdict.Improved));
    }

    private SeriesName Name(int series) => new()
    {
        Workload = Invariant($"workload-{series / 4}"),
        Values = new SortedDictionary<string, string>(StringComparer.Ordinal) { ["case"] = Invariant($"{series % 4}") },
        Against = new Dictionary<string, string>(StringComparer.Ordinal),
        Metric = "time",
        Unit = "s",
        Better = Better.Lower,
        Machine = MachineName(series % _settings.Machines),
        Cpu = "simulated",
        Executor = "simulated",
    };

    private static string MachineName(int machine) => Invariant($"machine-{machine}");
}
