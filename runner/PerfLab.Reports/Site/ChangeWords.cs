using PerfLab.Core.Model;
using PerfLab.Reports.Html;
using PerfLab.Reports.Text;
using PerfLab.Core.Trends;

namespace PerfLab.Reports.Site;

/// <summary>A change of level in words: what is known of it, how large it is, between which commits, and what to do.</summary>
internal static class ChangeWords
{
    private static readonly (ChangeStatus Status, string Means)[] Meanings =
    [
        (ChangeStatus.Confirmed, "an experiment that measured the commits on both sides against each other found it, too"),
        (ChangeStatus.Due, "seen, and clear enough: such an experiment is to come"),
        (ChangeStatus.Watched, "seen, and not yet clear"),
        (ChangeStatus.NotConfirmed, "the experiment did not find it"),
        (ChangeStatus.Environment, "the machine changed, not the program"),
        (ChangeStatus.Recovered, "later changes brought every one of its series back"),
    ];

    /// <summary>Slower, found by an experiment, not taken back, and nobody said that it may stay.</summary>
    public static bool IsOpenSlowdown(TrendChange change) =>
        change is { Status: ChangeStatus.Confirmed, Accepted: null } && change.Members[0].Change > 0;

    /// <summary>"confirmed", "confirmed, accepted".</summary>
    public static string State(TrendChange change) => Core.Files.Words.Of(change.Status) + (change.Accepted is null ? "" : ", accepted");

    /// <summary>What those of the words mean that the page has.</summary>
    public static void Legend(HtmlWriter writer, IEnumerable<TrendChange> changes)
    {
        var shown = changes.ToList();
        var meanings = Meanings.Where(one => shown.Exists(change => change.Status == one.Status))
            .Select(one => $"{Core.Files.Words.Of(one.Status)}: {one.Means}")
            .Concat(shown.Exists(change => change.Accepted is not null) ? ["accepted: people know of it and keep it"] : []);
        writer.Text("p", string.Join("; ", meanings) + ".", ("class", "dim"));
    }

    /// <summary>"confirmed: 3.1 % slower between a1b2c3 and d4e5f6; the experiment measured …".</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="settings">Where commits are linked.</param>
    /// <param name="change">The change.</param>
    /// <param name="member">The series that it is told of.</param>
    public static void Line(HtmlWriter writer, SiteSettings settings, TrendChange change, TrendMember member)
    {
        writer.Text("b", State(change) + ":").Words($"{Percent.InWords(member.Change, member.Unit)}, between");
        SiteFrame.Commit(writer, settings, change.Before.Commit);
        writer.Words($"({SiteNames.Day(change.Before.Started)}) and");
        SiteFrame.Commit(writer, settings, change.After.Commit);
        writer.Words($"({SiteNames.Day(change.After.Started)}){Experiment(change, member)}.");
        if (change.Accepted is { } reason)
        {
            writer.Words("Kept because:").Name("q", reason);
        }

        if (change is { Status: ChangeStatus.Due, Confirm: { } command })
        {
            writer.Lines("pre", command, ("class", "command"), ("tabindex", "0"));
        }
    }

    private static string Experiment(TrendChange change, TrendMember member)
    {
        if (change.Experiment is not { } experiment)
        {
            return "";
        }

        if (experiment.NothingDiffers)
        {
            return "; nothing that it runs differs between the two, so no experiment was measured";
        }

        var found = Percent.Change(experiment.Change, experiment.Low, experiment.High, member.Unit);
        var where = experiment.Series is { } series && series != member.Series ? " in another series of the change" : "";
        return $"; the experiment measured {found} in {Counted.Of(experiment.Rounds, "round")}{where}";
    }
}
