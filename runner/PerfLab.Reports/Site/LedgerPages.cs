using PerfLab.Reports.Html;
using PerfLab.Reports.Text;

namespace PerfLab.Reports.Site;

/// <summary>How often the lab is wrong, and what its machines are and cost.</summary>
internal static class LedgerPages
{
    private const int MostRows = 300;

    public static SiteFile Aa(SiteSettings settings, SiteHistory history) => SiteFrame.Page(settings, "aa.html", "A/A ledger",
        (writer, _) =>
    {
        writer.Text("p", "An A/A run measures a build against itself: whatever it flags is a false flag.", ("class", "lead"))
            .Text("p", OverviewPage.Rate(history.FalseFlags));
        var runs = history.Sessions.Where(session => session.Kind == SiteSession.Aa).Reverse().ToList();
        if (runs.Count == 0)
        {
            return;
        }

        writer.Open("section", ("aria-labelledby", "runs")).Text("h2", "Runs", ("id", "runs"));
        SiteFrame.Table(writer, "aa", Invariant($"The newest {Math.Min(runs.Count, MostRows)} of {runs.Count} A/A runs"),
            ["started", "flagged", "cells#", "machine"], () =>
        {
            foreach (var session in runs.Take(MostRows))
            {
                writer.Open("tr").Open("th", ("scope", "row")).Text("a", SiteNames.Day(session.Started),
                    ("href", SiteNames.Session(session))).Close()
                    .Text("td", session.IsFlagged ? "yes" : "no", ("class", session.IsFlagged ? "regressed" : "word"));
                SiteFrame.Figure(writer, session.Cells.ToString(CultureInfo.InvariantCulture), session.Cells);
                writer.Name("td", session.Cpu).Close();
            }
        });
        writer.Close().Open("section", ("aria-labelledby", "spread")).Text("h2", "How far each cell came apart", ("id", "spread"));
        SiteFrame.Table(writer, "spreads",
            Invariant($"The widest {Math.Min(history.AaSpreads.Count, MostRows)} of {history.AaSpreads.Count} cells"),
            ["workload", "cell", "runs#", "largest distance#"], () =>
        {
            foreach (var spread in history.AaSpreads.OrderByDescending(spread => spread.Largest).Take(MostRows))
            {
                writer.Open("tr").Name("th", spread.Name.Workload, ("scope", "row")).Name("td", SiteNames.Label(spread.Name));
                SiteFrame.Figure(writer, spread.Runs.ToString(CultureInfo.InvariantCulture), spread.Runs);
                SiteFrame.Figure(writer, Percent.Of(spread.Largest), spread.Largest);
                writer.Close();
            }
        });
        writer.Close();
    });

    public static SiteFile Machines(SiteSettings settings, SiteHistory history) => SiteFrame.Page(settings, "machines.html",
        "Machines and cost", (writer, _) =>
    {
        writer.Text("p",
            "Hours are from the start of a session to the end of its last launch; starting and stopping a machine comes on top. "
            + "The price is that of perf-lab.yaml for the machine's size.");
        if (history.Machines.Count == 0)
        {
            writer.Text("p", "No machine is known yet.");
            return;
        }

        SiteFrame.Table(writer, "machines", "Makes of machine", ["machine", "sessions#", "hours#", "price an hour#", "cost#"], () =>
        {
            foreach (var machine in history.Machines)
            {
                var sessions = history.Sessions.Where(session => session.Machine == machine.Fingerprint).ToList();
                var hours = sessions.Sum(session => session.Seconds ?? 0) / 3600;
                var cost = machine.PricePerHour * hours;
                writer.Open("tr").Name("th", $"{machine.Cpu} ({machine.Fingerprint})", ("scope", "row"));
                SiteFrame.Figure(writer, sessions.Count.ToString(CultureInfo.InvariantCulture), sessions.Count);
                SiteFrame.Figure(writer, Invariant($"{hours:0.0}"), hours);
                SiteFrame.Figure(writer, machine.PricePerHour is { } price ? Invariant($"{price:0.00##}") : "not listed",
                    machine.PricePerHour);
                SiteFrame.Figure(writer, cost is { } sum ? Invariant($"{sum:0.00}") : "-", cost);
                writer.Close();
            }
        });
        var unread = history.Sessions.Count(session => session.Seconds is null);
        if (unread > 0)
        {
            writer.Text("p", unread == 1 ? "1 session has no journal that says how long it took; it counts as 0 hours."
                : Invariant($"{unread} sessions have no journal that says how long they took; they count as 0 hours."));
        }

        foreach (var machine in history.Machines)
        {
            writer.Open("details").Name("summary", $"{machine.Cpu} ({machine.Fingerprint})");
            HtmlEvidence.Facts(writer, machine.Facts);
            writer.Close();
        }
    });
}
