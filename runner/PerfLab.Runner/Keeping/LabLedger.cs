using PerfLab.Building.Manifests;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.History;
using PerfLab.Programs;

namespace PerfLab.Runner.Keeping;

/// <summary>
/// What a comparison takes from the history, and what it adds to it. A history that can't be opened never costs a result: it is said, and
/// the comparison goes on without.
/// </summary>
internal sealed class LabLedger : IDisposable
{
    private readonly Terminal _terminal;
    private readonly double? _budget;
    private HistoryStore? _store;

    private LabLedger(Terminal terminal, LabConfig config, bool isWanted)
    {
        (_terminal, _budget) = (terminal, config.Budget);
        _store = isWanted ? Try(() => LabHistory.Open(config), "the history was not read") : null;
    }

    /// <summary>For a session that shall be kept, unless perf-lab.yaml says otherwise.</summary>
    public static LabLedger ToKeep(Terminal terminal, LabConfig config) => new(terminal, config, config.History.KeepRuns);

    /// <summary>For reading only: where there is no history yet, none is made.</summary>
    public static LabLedger ToRead(Terminal terminal)
    {
        var config = LabConfig.Read(terminal.Root, []);
        return new(terminal, config ?? new(), config is { History.PostgresFrom: null } && LabHistory.PlaceOf(config).MayHoldSomething);
    }

    /// <summary>Margins that cells have of their own.</summary>
    public IReadOnlyDictionary<string, CellMargin>? Margins(SessionHeader header) => Ask(store => store.Margins(header));

    /// <summary>The comparison with the lab's measured false-flag rate.</summary>
    private Comparison WithRate(Comparison comparison) => comparison with
    {
        FalseFlags = Ask(store => store.FalseFlags()) ?? comparison.FalseFlags,
        LayoutFlags = Ask(store => store.FalseFlags(SessionKind.Layout)) ?? comparison.LayoutFlags,
    };

    /// <summary>Keeps the session, then <see cref="WithKnown"/>: an A/A session counts in its own report.</summary>
    public Comparison Keep(string journal, SampleSet samples, Comparison comparison)
    {
        if (_store is { } store && samples.Launches.Count > 0)
        {
            var bytes = File.ReadAllBytes(journal);
            var shown = ShellWord.Of(Path.GetRelativePath(_terminal.WorkingFolder, journal));
            Try(() => store.Keep(KeptSession.Of(bytes, samples, comparison, journal), () => bytes),
                $"this session was not kept (`./perf-lab history import {shown}` does it later)");
        }

        return WithKnown(samples.Header, comparison);
    }

    /// <summary><see cref="WithRate"/>, the reasons beside regressions that people know of, and what is left of the budget.</summary>
    public Comparison WithKnown(SessionHeader header, Comparison comparison)
    {
        var rated = WithRate(comparison);
        var known = Ask(store => store.WithAccepted(header, rated)) ?? rated;
        return _budget is { } budget ? Ask(store => store.WithBudget(header, known, budget)) ?? known : known;
    }

    public void Dispose() => _store?.Dispose();

    private T? Ask<T>(Func<HistoryStore, T?> question)
        where T : class => _store is { } store ? Try(() => question(store), "the history was not read") : null;

    private T? Try<T>(Func<T> action, string otherwise)
    {
        try
        {
            return action();
        }
        catch (LabException exception)
        {
            _terminal.Say($"{otherwise}: {exception.Tried}: {exception.CameBack}; {exception.DoNext}");
            _store?.Dispose();
            _store = null;
            return default;
        }
    }
}
