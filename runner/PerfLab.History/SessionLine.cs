namespace PerfLab.History;

/// <summary>What became of a session that was to be kept.</summary>
public enum KeepOutcome { Added, AlreadyThere, Replaced }

/// <summary>One line of the list.</summary>
/// <param name="Started">UTC.</param>
public sealed record SessionLine(
    string Id, string Hash, DateTimeOffset Started, SessionKind Kind, string Cpu, string Executor, bool Complete, int Cells, int Launches,
        bool IsFlagged);
