using System.Globalization;

namespace PerfLab.Calibration;

/// <summary>What the command line asked for.</summary>
public sealed record Options
{
    public const string Usage = """
        PerfLab.Calibration [--size full|short] [--seed N] [--only G1,…,G15,S1,S3,H1,B1]
            simulate and print the table; exit code 1 when a row misses and results/figures.md does not tell of it
        PerfLab.Calibration --detectable [--seed N] [--cells N]
            print the table behind the smallest detectable change
        PerfLab.Calibration --cusum
            print the table behind the change of level of a launch's windows
        PerfLab.Calibration --steps [--size full|short] [--seed N]
            print the table behind the bounds of the search for steps in a trend
        PerfLab.Calibration --year [--seed N]
            replay a made-up year with known changes: what `./perf-lab trend` found, when, and falsely
        PerfLab.Calibration --budget [--seed N]
            at which of ten small steps the budget of many small steps speaks: results/small-steps.md
        PerfLab.Calibration --quarters [--seed N]
            replay many quarters of weekly runs with known changes: results/quarters.md
        PerfLab.Calibration --fleet [--seed N]
            simulate a plan on a fleet whose machines fail: results/fleet.md
        PerfLab.Calibration --journal
            write the journal of a session of 500 cells x 28 rounds to stdout (benchmarks/compare-speed)
        PerfLab.Calibration --series FILE|FOLDER [--seed N]
            a published series and its known changes against what is found in it: "# changes 15 71", then a value a line;
            or a folder of series that people labelled, in the form of the Turing Change Point Dataset: results/public-series.md
        """;

    /// <summary>All that can be simulated; results/figures.md has their aims.</summary>
    public static IReadOnlyList<string> Figures { get; } =
        ["G1", "G2", "G3", "G4", "G5", "G6", "G7", "G8", "G9", "G10", "G11", "G12", "G13", "G14", "G15", "S1", "S3", "H1", "B1"];

    public Size Size { get; private init; } = Size.Short;
    public ulong Seed { get; private init; } = 20260101;
    public IReadOnlyList<string> Only { get; private init; } = Figures;
    public bool Detectable { get; private init; }
    public int DetectableCells { get; private init; } = 1_000_000;
    public bool Cusum { get; private init; }
    public bool Steps { get; private init; }
    public bool Fleet { get; private init; }
    public bool Budget { get; private init; }
    public bool Quarters { get; private init; }
    public bool Year { get; private init; }
    public bool Journal { get; private init; }

    /// <summary>A file or a folder, or null.</summary>
    public string? Series { get; private init; }

    /// <summary>The options, or what is wrong with them.</summary>
    public static (Options? Options, string? Problem) Parse(IReadOnlyList<string> arguments)
    {
        var options = new Options();
        for (var i = 0; i < arguments.Count; i++)
        {
            var name = arguments[i];
            var value = name is "--detectable" or "--journal" or "--cusum" or "--steps" or "--fleet" or "--budget" or "--quarters" or "--year" ? "" : i + 1 < arguments.Count ? arguments[++i] : null;
            if (value is null || options.With(name, value) is not { } next)
            {
                return (null, $"{name} {value}: not understood.\n{Usage}");
            }

            options = next;
        }

        return (options, null);
    }

    private Options? With(string name, string value) => (name, value) switch
    {
        ("--detectable", _) => this with { Detectable = true },
        ("--cusum", _) => this with { Cusum = true },
        ("--steps", _) => this with { Steps = true },
        ("--fleet", _) => this with { Fleet = true },
        ("--budget", _) => this with { Budget = true },
        ("--quarters", _) => this with { Quarters = true },
        ("--year", _) => this with { Year = true },
        ("--journal", _) => this with { Journal = true },
        ("--series", _) => this with { Series = value },
        ("--size", "full") => this with { Size = Size.Full },
        ("--size", "short") => this with { Size = Size.Short },
        ("--seed", _) when ulong.TryParse(value, CultureInfo.InvariantCulture, out var seed) => this with { Seed = seed },
        ("--cells", _) when int.TryParse(value, CultureInfo.InvariantCulture, out var cells) && cells > 0 =>
            this with { DetectableCells = cells },
        ("--only", _) when value.Split(',').All(figure => Figures.Contains(figure, StringComparer.Ordinal)) =>
            this with { Only = value.Split(',') },
        _ => null,
    };
}
