using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;

namespace PerfLab.WorkloadKit;

/// <summary>
/// One start of a workload: what it was asked for, its measurement, and what it reports. The order of every body is the same: read the
/// parameters, check an answer, measure (<see cref="Watch"/>, <see cref="Repeat"/> or <see cref="Time"/>), report every declared metric.
/// </summary>
public sealed class Launch
{
    private const string ParameterPrefix = "PERF_LAB_PARAM_";

    /// <summary>Beyond the least time, in quiet times, where nobody said when to end.</summary>
    private const double UntilRest = 9;

    private readonly LaunchResult _result = new();
    private readonly string? _resultFile;
    private readonly string? _settingsFile;
    private readonly Turns? _turns;
    private readonly double _quiet;
    private bool _modesOffered;
    private bool _takesOwnTurns;

    private Launch(LaunchSettings settings)
    {
        Parameters = new Parameters(settings.Parameters);
        Mode = settings.Text("PERF_LAB_MODE") ?? "steady";
        WarmUp = settings.Duration("PERF_LAB_WARM_UP", TimeSpan.FromSeconds(1));
        _quiet = QuietTime.Seconds(Environment.ProcessorCount, settings.Text, AppContext.GetData);
        WarmUpBound = Bound(settings);
        Measure = settings.Duration("PERF_LAB_MEASURE", TimeSpan.FromSeconds(2));
        _resultFile = settings.Text("PERF_LAB_RESULT");
        _settingsFile = settings.Text("PERF_LAB_SETTINGS");
        _result.Nonce = settings.Text("PERF_LAB_NONCE") ?? "";
        Nodes = LaunchNodes.From(settings);
        _turns = Turns.From(settings);
    }

    /// <summary>Typed access to the parameters; read them all before measuring.</summary>
    public Parameters Parameters { get; }

    /// <summary>The mode asked for; <c>steady</c> when none was.</summary>
    public string Mode { get; }

    /// <summary>How long to run at least before measuring, the same for every arm; 0 measures from the start.</summary>
    public TimeSpan WarmUp { get; }

    /// <summary>When to measure in any case, at rest or not.</summary>
    public TimeSpan WarmUpBound { get; }

    /// <summary>How long to measure, the same for every arm.</summary>
    public TimeSpan Measure { get; }

    /// <summary>The programs of this launch, where there are several; only the first of the last role reports metrics.</summary>
    public LaunchNodes Nodes { get; }

    /// <summary>The nonce of the launch: nodes of one launch have the same.</summary>
    public string Nonce => _result.Nonce;

    /// <summary>Reads the settings that the lab passes by environment and a person by command line.</summary>
    /// <exception cref="RefusedException">A setting is not what it should be.</exception>
    public static Launch From(string[] arguments, IDictionary environment) => new(LaunchSettings.From(arguments, environment, ParameterPrefix));

    /// <summary>Refuses any mode but those named; without a call only <c>steady</c> is offered.</summary>
    /// <exception cref="RefusedException">The mode is another one.</exception>
    public void OfferModes(params string[] modes)
    {
        _modesOffered = true;
        if (!modes.Contains(Mode, StringComparer.Ordinal))
        {
            throw new RefusedException($"mode '{Mode}' is not offered; there is {string.Join(", ", modes)}.");
        }
    }

    /// <summary>Measures work that runs by itself on other threads, by reading how much of it is done every 100 ms.</summary>
    /// <param name="done">Units of work done since the start; called about every 100 ms, so it may cost a microsecond.</param>
    /// <param name="warmedUp">Called once between warm-up and measurement, e.g. to clear histograms.</param>
    public Windows Watch(Func<long> done, Action? warmedUp = null)
    {
        CheckSettings();
        var warmUp = WarmedUp(rest => Meter.Watch(WarmUpBound, done, rest));
        Begin(warmedUp);
        return Measured(warmUp, _turns?.Watch(done) ?? Meter.Watch(Measure, done));
    }

    /// <summary>Measures work that this thread does, again and again until the time is over.</summary>
    /// <param name="piece">Does one piece, well below 100 ms, and returns how many units of work it was.</param>
    /// <param name="warmedUp">Called once between warm-up and measurement.</param>
    public Windows Repeat(Func<long> piece, Action? warmedUp = null)
    {
        CheckSettings();
        var warmUp = WarmedUp(rest => Meter.Repeat(WarmUpBound, piece, rest));
        Begin(warmedUp);
        return Measured(warmUp, _turns?.Repeat(piece) ?? Meter.Repeat(Measure, piece));
    }

    /// <summary>Measures a fixed amount of work, after warming up with pieces of the same code.</summary>
    /// <param name="piece">One piece of the work, well below 100 ms.</param>
    /// <param name="pieces">How many pieces the fixed amount has.</param>
    /// <param name="warmedUp">Called once between warm-up and measurement.</param>
    public Windows Time(Func<long> piece, long pieces, Action? warmedUp = null)
    {
        CheckSettings();
        var warmUp = WarmedUp(rest => Meter.Repeat(WarmUpBound, piece, rest));
        Begin(warmedUp);
        return Measured(warmUp, _turns?.Times(pieces, piece) ?? Meter.Times(pieces, piece));
    }

    /// <summary>Measures one piece of work that nobody warmed up: what benchmarks of old did. Calls add up to the measured time.</summary>
    /// <param name="piece">The whole work; returns how many units it was.</param>
    public Windows Once(Func<long> piece)
    {
        CheckSettings();
        if (_turns is not null && !_takesOwnTurns)
        {
            throw new RefusedException("this measures one piece of work once, which can't be cut into slices; measure it with --pairing launches.");
        }

        return Measured(null, Meter.Times(1, piece));
    }

    /// <summary>The turns of what cuts itself into slices (BenchmarkDotNet); null where nobody asked for turns.</summary>
    internal Turns? TakeTurns()
    {
        _takesOwnTurns = true;
        return _turns;
    }

    /// <summary>Warms up what something else measures (BenchmarkDotNet): once, until it is at rest.</summary>
    internal void Settle(Func<long> piece) => _result.WarmUp = WarmedUp(rest => Meter.Repeat(WarmUpBound, piece, rest))?.Series;

    /// <summary>What something else measured, in place of the kit's own windows.</summary>
    internal void MeasuredElsewhere(TimedWindows windows) => _result.Elsewhere = windows;

    /// <summary>Does what a node does that measures nothing itself: serves others, until it is told to end.</summary>
    /// <param name="untilToldToEnd">Returns when the node's work is over.</param>
    public void Serve(Action untilToldToEnd)
    {
        CheckSettings();
        var clock = System.Diagnostics.Stopwatch.StartNew();
        untilToldToEnd();
        _result.MeasuredSeconds += clock.Elapsed.TotalSeconds;
    }

    /// <summary>Reports a metric of the manifest, in the manifest's unit.</summary>
    /// <exception cref="WrongAnswerException">The value is not a finite number.</exception>
    public void Report(string metric, double value, string unit)
    {
        if (double.IsNaN(value) || double.IsInfinity(value))
        {
            throw new WrongAnswerException($"metric '{metric}' came out as {value}: was anything measured?");
        }

        _result.Metrics.Add(new Metric(metric, value, unit));
    }

    /// <summary>Attaches the rates of the 100 ms windows of a metric, in its unit: they show whether the launch was steady.</summary>
    public void ReportWindows(string metric, IReadOnlyList<double> values) => _result.Windows.Add(new(metric, values));

    /// <summary>Attaches a merged latency histogram.</summary>
    public void ReportHistogram(string name, LatencyHistogram histogram) => _result.Histograms.Add(new(name, histogram));

    /// <summary>Adds a fact of the workload's own to the evidence.</summary>
    public void Prove(string name, string value) => _result.Facts[name] = value;

    /// <summary>Writes the result where the lab wants it, or to standard output for a person.</summary>
    internal void WriteResult()
    {
        CheckSettings();
        var json = ResultJson.Write(_result, Evidence.Collect());
        if (_settingsFile is not null)
        {
            // After everything that is measured or counted: asking costs the runtime a tenth of a second.
            SettingsProof.Write(_settingsFile);
        }

        if (_resultFile is null)
        {
            Console.Out.WriteLine(json);
            return;
        }

        ResultWriter.Write(_resultFile, json);
    }

    private void CheckSettings()
    {
        Parameters.Check();
        if (!_modesOffered)
        {
            OfferModes("steady");
        }
    }

    /// <summary>Between warm-up and measurement: in turns, others warm up meanwhile.</summary>
    private void Begin(Action? warmedUp)
    {
        _turns?.Begin();
        warmedUp?.Invoke();
    }

    private Windows? WarmedUp(Func<RestWatch, Windows> warmUp)
    {
        if (WarmUp == TimeSpan.Zero)
        {
            return null;
        }

        _result.Rest = new RestWatch(WarmUp, WarmUpBound, _quiet);
        return warmUp(_result.Rest);
    }

    private TimeSpan Bound(LaunchSettings settings)
    {
        var bound = settings.Duration("PERF_LAB_WARM_UP_BOUND", WarmUp + TimeSpan.FromSeconds(Math.Ceiling(UntilRest * _quiet)));
        return bound >= WarmUp ? bound
            : throw new RefusedException($"PERF_LAB_WARM_UP_BOUND is {bound.TotalSeconds} s, which is shorter than the {WarmUp.TotalSeconds} s that PERF_LAB_WARM_UP asks for at least.");
    }

    private Windows Measured(Windows? warmUp, Windows windows)
    {
        _result.Measured = windows;
        _result.WarmUp = warmUp?.Series ?? _result.WarmUp;
        _result.MeasuredSeconds += windows.Seconds;
        return windows;
    }
}
