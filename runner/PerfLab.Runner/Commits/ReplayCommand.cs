using System.CommandLine;
using PerfLab.Core.Files;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Core.Statistics.Stages;
using PerfLab.History;
using PerfLab.Programs;
using PerfLab.Reports.Text;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Keeping;

namespace PerfLab.Runner.Commits;

/// <summary>
/// `history replay`: what another policy would have said of the sessions that are kept. Nothing is measured, and nothing is kept.
/// </summary>
internal static class ReplayCommand
{
    /// <summary>Rows that come out otherwise, by name; the table counts all.</summary>
    private const int Named = 20;

    public static Command Create(Terminal terminal)
    {
        var margin = Percentage("--margin", "Changes smaller than this do not count");
        var tooNoisy = Percentage("--too-noisy", "An undecided row with more noise than this is called too noisy");
        var familyError = Percentage("--family-error", "The chance of a false flag in a whole session");
        var rounds = new Option<int?>("--rounds") { Description = "Only the first N confirm rounds of each session.", HelpName = "N" };
        rounds.Validators.Add(result =>
        {
            if (result.Tokens is [var token] && int.TryParse(token.Value, CultureInfo.InvariantCulture, out var value)
                && value < StageRule.LeastConfirmRounds)
            {
                result.AddError(Invariant($"--rounds is at least {StageRule.LeastConfirmRounds}: fewer give no verdict."));
            }
        });
        var command = Examples.Command(
            "replay", "What another policy would have said of every session that is kept: a table, and nothing is measured.",
            ["./perf-lab history replay --margin 3", "./perf-lab history replay --rounds 13 --margin 2"])
            .With(margin, rounds, tooNoisy, familyError);
        command.SetAction((parsed, cancellationToken) =>
        {
            var (least, noise) = (parsed.GetValue(margin) / 100, parsed.GetValue(tooNoisy) / 100);
            var (error, count) = (parsed.GetValue(familyError) / 100, parsed.GetValue(rounds));
            if (least is null && noise is null && error is null && count is null)
            {
                throw new WrongUseException([new("history replay", "needs a policy that differs.",
                    "Name one of --margin, --rounds, --too-noisy, --family-error.")]);
            }

            using var store = LabHistory.Open(Lab.Open(terminal).Config);
            var replay = new Replay(policy => policy with
            {
                Margin = least ?? policy.Margin,
                TooNoisy = noise ?? policy.TooNoisy,
                FamilyError = error ?? policy.FamilyError,
                ConfirmRounds = Math.Min(count ?? int.MaxValue, policy.ConfirmRounds),
            });
            foreach (var session in store.List())
            {
                cancellationToken.ThrowIfCancellationRequested();
                replay.Add(session, store.Journal(session.Id, session.Started));
            }

            Write(terminal.Out, replay);
            return Task.FromResult(ExitCode.Done);
        });
        return command;
    }

    private static Option<double?> Percentage(string name, string what)
    {
        var option = new Option<double?>(name) { Description = what + ", in percent.", HelpName = "PERCENT" };
        option.Validators.Add(result =>
        {
            // What is no number is said by the parser.
            if (result.Tokens is [var token] && double.TryParse(token.Value, CultureInfo.InvariantCulture, out var value)
                && value is not (> 0 and <= 100))
            {
                result.AddError($"{name} is more than 0 and at most 100 percent.");
            }
        });
        return option;
    }

    private static void Write(TextWriter output, Replay replay)
    {
        var changed = replay.Rows.Where(row => row.Before != row.Now).ToList();
        output.WriteLine($"{Counted.Of(replay.Sessions, "session")}, {Counted.Of(replay.Rows.Count, "row")} with a verdict; "
            + $"{Counted.Of(changed.Count, "row")} would come out otherwise");
        output.WriteLine($"  {"",-16} {"as kept",9} {"replayed",9}");
        foreach (var verdict in Enum.GetValues<Verdict>())
        {
            var (before, now) = (replay.Rows.Count(row => row.Before == verdict), replay.Rows.Count(row => row.Now == verdict));
            if (before + now > 0)
            {
                output.WriteLine(Invariant($"  {Words.Of(verdict),-16} {before,9} {now,9}"));
            }
        }

        foreach (var row in changed.Take(Named))
        {
            var by = row.Change is null ? "" : $" ({Percent.Change(row.Change, null, null, row.Unit)})";
            output.WriteLine($"  {UntrustedText.Line(row.Session)}  {UntrustedText.Line(row.Name)}: "
                + $"{Words.Of(row.Before)} -> {Words.Of(row.Now)}{by}");
        }

        if (changed.Count > Named)
        {
            output.WriteLine(Invariant($"  and {changed.Count - Named} more"));
        }
    }

    /// <summary>A row with a verdict, by its own policy and by the other one.</summary>
    private sealed record ReplayedRow(string Session, string Name, string Unit, double? Change, Verdict Before, Verdict Now);

    private sealed class Replay(Func<Policy, Policy> other)
    {
        public int Sessions { get; private set; }

        public List<ReplayedRow> Rows { get; } = [];

        public void Add(SessionLine session, byte[]? journal)
        {
            if (journal is null || JournalReader.Read(journal).Samples is not { } samples)
            {
                return;
            }

            Sessions++;
            var own = samples.Header.Policy ?? new Policy();
            var policy = other(own);
            var fewer = samples with
            {
                Launches = [.. samples.Launches.Where(launch => launch.Stage != Stage.Confirm || launch.Round < policy.ConfirmRounds
                    || (own.Within > 0 && policy.ConfirmRounds == own.ConfirmRounds))],
            };
            var now = Verdicts(fewer, policy).ToDictionary(row => (row.Cell, row.Arm, row.Metric));
            var cells = samples.Header.Cells.ToDictionary(cell => cell.Id, StringComparer.Ordinal);
            Rows.AddRange(from row in Verdicts(samples, own)
                          where now.ContainsKey((row.Cell, row.Arm, row.Metric))
                          let changed = now[(row.Cell, row.Arm, row.Metric)]
                          let name = $"{cells[row.Cell].Workload}, {row.Cell}, {row.Arm}"
                          select new ReplayedRow(session.Id, name, row.Unit, changed.Change, row.Verdict!.Value, changed.Verdict!.Value));
        }

        private static IEnumerable<ComparedMetric> Verdicts(SampleSet samples, Policy policy) =>
            Comparer.Compare(samples, new(policy, "replay")).Cells.Where(row => row.Verdict is not null);
    }
}
