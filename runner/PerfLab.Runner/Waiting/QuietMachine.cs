using PerfLab.Core.Model;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;
using PerfLab.Machine.Watching;
using PerfLab.Programs;

namespace PerfLab.Runner.Waiting;

/// <summary>
/// What is wrong with the machine right now is said before the first launch, and waited for where somebody asked for it.
/// </summary>
internal static class QuietMachine
{
    /// <summary>What was found when the machine was quiet, or when the wait was over: it is measured all the same, and said.</summary>
    /// <param name="look">Takes about a second of the machine.</param>
    /// <param name="policy">What is good enough.</param>
    /// <param name="budget">How long to wait for a quiet machine; null does not wait.</param>
    /// <param name="turn">Is given back while it waits; null: whoever waits holds the machine for more than itself.</param>
    /// <param name="terminal">Is told what is waited for, and what is there all the same.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="LabException">The policy publishes nothing from such a machine.</exception>
    public static async Task<MachineFindings> FindAsync(
        Func<CancellationToken, Task<MachineFindings>> look, HygienePolicy policy, WaitBudget? budget, Terminal terminal,
        CancellationToken cancellationToken, MachineTurn? turn = null)
    {
        while (true)
        {
            var found = await look(cancellationToken);
            var findings = HygieneJudge.Judge(found.Facts, policy);
            var passing = findings.Where(HygieneJudge.Passes).ToList();
            // What no wait mends is said before anybody waits.
            RefuseUnfit([.. findings.Except(passing)], policy);
            if (passing.Count > 0 && budget is { IsOver: false } patience)
            {
                var reason = string.Join("; ", passing.Select(finding => $"{finding.Name}: {finding.Value}"));
                Task WaitAsync() => patience.WaitAsync("quiet", reason, cancellationToken);
                await (turn is null ? WaitAsync() : turn.WithoutAsync(WaitAsync, cancellationToken));
                continue;
            }

            RefuseUnfit(passing, policy);
            var waits = budget is null or { IsNone: true } ? "; --wait 30m waits for it" : "";
            foreach (var finding in passing)
            {
                terminal.Say($"note: {finding.Name}: {finding.Value} ({finding.Fix}{waits})");
            }

            return found;
        }
    }

    /// <summary>A lab publishes nothing from a machine that is not fit: said before the first launch, all of it at once.</summary>
    private static void RefuseUnfit(IReadOnlyList<HygieneFinding> findings, HygienePolicy policy)
    {
        var refused = findings.Where(finding => finding.Severity == HygieneSeverity.Refuse).ToList();
        if (refused.Count > 0)
        {
            throw new LabException(
                $"measuring on this machine under the policy {policy.ToString().ToLowerInvariant()}",
                string.Join("; ", refused.Select(finding => $"{finding.Name}: {finding.Value}")),
                string.Join("\n             ", refused.Select(finding => finding.Fix))
                    + "\n             (`./perf-lab doctor` shows the whole table; "
                    + "--policy any measures all the same, and says it in the report)");
        }
    }
}
