using PerfLab.Core.Model;

namespace PerfLab.Core.Trends;

/// <summary>A look at the trend, for people. Names come from journals and go through <see cref="UntrustedText"/>.</summary>
public static class TrendText
{
    public static string Of(TrendState state)
    {
        var text = new StringBuilder();
        text.Append(Invariant($"trend: {state.Series} series, {state.Sessions} sessions"))
            .Append(state.Newest is { } newest ? $", the newest of {Day(newest)}\n" : "\n");
        if (state.Series == 0)
        {
            text.Append("Nothing was measured against an anchor yet. An anchor is a pinned old build; a session of a trend is\n"
                + "  ./perf-lab run SUITE --anchor source=OLD-COMMIT --head source=COMMIT\n");
        }

        foreach (var (title, status) in Titles)
        {
            var changes = state.Changes.Where(change => change.Status == status && change.Accepted is null).ToList();
            if (changes.Count > 0)
            {
                text.Append(Invariant($"\n{title} ({changes.Count}):\n"));
                changes.ForEach(change => Append(text, change));
            }
        }

        var accepted = state.Changes.Where(change => change.Accepted is not null).ToList();
        if (accepted.Count > 0)
        {
            text.Append(Invariant($"\naccepted ({accepted.Count}):\n"));
            accepted.ForEach(change => Append(text, change));
        }

        foreach (var step in state.Environment)
        {
            text.Append(Invariant(
                $"\nmachine {UntrustedText.Line(step.Machine)} ({UntrustedText.Line(step.Cpu)}): anchors of "))
                .Append(Invariant($"{100 * step.Share:0} % of its series became {Words(step.Change)} "))
                .Append(CultureInfo.InvariantCulture, $"between {Day(step.Before)} and {Day(step.After)}\n");
        }

        foreach (var stopped in state.Stopped)
        {
            text.Append(Invariant(
                $"\nstopped running: {Name(stopped.Workload, stopped.Values, stopped.Metric)}: "))
                .Append(Invariant($"no value in the last {stopped.Missed} sessions, the last on {Day(stopped.Last)}\n"));
        }

        if (state.NextAnchor is { } next)
        {
            var rest = next.IsReady ? ": --anchor may name it now" : Invariant($" (the fewest: {next.Fewest})");
            text.Append(Invariant($"\nthe anchor to come, {UntrustedText.Line(next.To)}: {next.Ready} of {next.Series} series "))
                .Append(Invariant($"measured both anchors in {next.Needed} sessions or more{rest}\n"));
        }

        foreach (var warning in state.Warnings)
        {
            text.Append(CultureInfo.InvariantCulture, $"\nwarning: {UntrustedText.Line(warning, UntrustedText.MaxChars)}\n");
        }

        return text.ToString();
    }

    private static readonly (string Title, ChangeStatus Status)[] Titles =
    [
        ("confirmed", ChangeStatus.Confirmed), ("to be confirmed", ChangeStatus.Due), ("seen once", ChangeStatus.Watched),
            ("recovered", ChangeStatus.Recovered),
        ("the machine, not the program", ChangeStatus.Environment), ("not confirmed", ChangeStatus.NotConfirmed),
    ];

    private static void Append(StringBuilder text, TrendChange change)
    {
        text.Append(CultureInfo.InvariantCulture, $"  {change.Id}  between {Place(change.Before)} and {Place(change.After)}\n");
        foreach (var member in change.Members)
        {
            text.Append("    ").Append(Name(member.Workload, member.Values, member.Metric))
                .Append(": ").Append(Words(member.Change)).Append('\n');
        }

        if (change.Experiment is { } experiment)
        {
            text.Append(Invariant($"    experiment {UntrustedText.Line(experiment.Session)}: "))
                .Append(experiment.NothingDiffers ? "not measured, nothing that it runs differs between the two\n"
                    : Invariant($"{Words(experiment.Change)}, {experiment.Rounds} rounds\n"));
        }

        if (change.Status == ChangeStatus.Due)
        {
            text.Append(change.Confirm is { } command ? $"    confirm: {command}\n"
                : "    confirm by hand: measure the two against each other; they can't be named on a command line\n");
        }

        if (change.Accepted is { } reason)
        {
            text.Append(CultureInfo.InvariantCulture, $"    kept because: {UntrustedText.Line(reason, UntrustedText.MaxChars)}\n");
        }

        if (change.RecoveredBy is { } fix)
        {
            text.Append(CultureInfo.InvariantCulture, $"    taken back by {fix}\n");
        }
    }

    private static string Name(string workload, IReadOnlyDictionary<string, string> values, string metric)
    {
        var shown = values.OrderBy(value => value.Key, StringComparer.Ordinal).Select(value => $"{value.Key}={value.Value}");
        return UntrustedText.Line($"{workload} {string.Join(' ', shown)}, {metric}", UntrustedText.MaxChars);
    }

    private static string Place(TrendPlace place) => place.Commit is { } commit ? $"{UntrustedText.Line(commit)} ({Day(place)})"
        : $"session {UntrustedText.Line(place.Session)} ({Day(place)})";

    private static string Day(TrendPlace place) => place.Started.UtcDateTime.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);

    public static string Words(double change) => Invariant($"{Math.Abs(100 * change):0.0} % {(change > 0 ? "slower" : "faster")}");
}
