using PerfLab.Core.Trends;

namespace PerfLab.Calibration.Years;

/// <summary>A year of a lab that is made up: how much is measured, and what changes in it.</summary>
public sealed record YearSettings
{
    public ulong Seed { get; init; } = 20260101;

    /// <summary>Over all machines.</summary>
    public int Series { get; init; } = 200;
    public int Machines { get; init; } = 2;

    /// <summary>Sessions before the year begins.</summary>
    public int Before { get; init; } = 26;

    /// <summary>Sessions of the year: one a week.</summary>
    public int Sessions { get; init; } = 52;

    /// <summary>Commits of the year that make something slower or faster.</summary>
    public int CodeChanges { get; init; } = 20;

    /// <summary>Of those, how many are taken back later in the year.</summary>
    public int Fixes { get; init; } = 5;

    /// <summary>Beside those: changes of several series of which one alone is mended, the others stay as they are.</summary>
    public int PartialFixes { get; init; }

    /// <summary>Steps of a machine, each on one of them.</summary>
    public int HostChanges { get; init; } = 6;

    /// <summary>Sessions after a change in which it still may be found: the last changes of a year are found in the next one.</summary>
    public int Quiet { get; init; } = 12;

    /// <summary>Sessions until a fix, at the earliest; it comes within five.</summary>
    public int FixedAfter { get; init; } = 10;

    /// <summary>The smallest change of a commit, a fraction; the largest is 10 %.</summary>
    public double LeastSize { get; init; } = 0.015;
}

/// <summary>What was put into the year.</summary>
/// <param name="Session">The first session with it, from 0.</param>
/// <param name="Machine">Of a step of a machine; null for a commit.</param>
/// <param name="Series">The series that it touches.</param>
/// <param name="Size">In log units, + is worse.</param>
/// <param name="TakesBack">Which change it undoes, or null.</param>
public sealed record KnownChange(int Session, int? Machine, IReadOnlyList<int> Series, double Size, int? TakesBack = null);

/// <summary>What became of one of them.</summary>
/// <param name="Known">The change.</param>
/// <param name="FoundAfter">Sessions until the experiment confirmed it (a commit), or until it was called the machine's (a step); null:
/// it was not.</param>
/// <param name="CalledRecovered">Whether a fix closed the change that it takes back.</param>
/// <param name="IsTold">Whether a row of it stands in an open issue of its direction, its own or a neighbour's.</param>
public sealed record KnownOutcome(KnownChange Known, int? FoundAfter, bool CalledRecovered, bool IsTold);

/// <summary>How the year went.</summary>
/// <param name="Outcomes">Of everything that was put in.</param>
/// <param name="FalseIssues">Confirmed changes where no commit changed anything.</param>
/// <param name="FiledHostSteps">Steps of a machine that became a confirmed change.</param>
/// <param name="FalselyClosed">Issues that were called recovered while a series of theirs was as a commit of theirs had left it.</param>
/// <param name="StillSlow">Series that a commit made slower and nothing mended, where an issue was filed for that commit.</param>
/// <param name="StillTold">Of those, how many are in an issue that is open at the end.</param>
/// <param name="Experiments">How many were run.</param>
/// <param name="Wasted">Of those, how many found nothing.</param>
/// <param name="Last">The state after the last session.</param>
public sealed record YearResult(
    YearSettings Settings, IReadOnlyList<KnownOutcome> Outcomes, int FalseIssues, int FiledHostSteps, int FalselyClosed, int StillSlow,
        int StillTold, int Experiments, int Wasted, TrendState Last);
