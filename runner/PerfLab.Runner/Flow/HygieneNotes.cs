using PerfLab.Core.Model;
using PerfLab.Reports;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;

namespace PerfLab.Runner.Flow;

/// <summary>From what a journal says about its machine to the report's line. The journal may come from anywhere: it is judged here again, never believed.</summary>
internal static class HygieneNotes
{
    private const int MostWarnings = 50;
    private const string Hosted = "measured on one of GitHub's own runners, a shared virtual machine whose model changes from run to run. "
        + "Base and head took turns on it, so a verdict holds for it. Values of two requests can't be compared. "
        + "The columns noise and detectable say how small a change it can show";

    private const string BlockMark = "block up to launch ";

    /// <summary>Null when the journal says nothing about its machine.</summary>
    public static HygieneNote? Of(SampleSet samples)
    {
        var machine = samples.Header.Machine;
        if (machine.Count == 0)
        {
            return null;
        }

        var findings = HygieneJudge.Judge(machine, PolicyOf(machine));
        var rows = findings.GroupBy(finding => finding.Row).Select(row => row.Max(finding => finding.Severity)).ToList();
        var warnings = Warnings(samples);
        var (strikes, givenUp) = Strikes(samples);
        var refused = rows.Count(row => row == HygieneSeverity.Refuse);
        var line = Invariant($"{rows.Count(row => row < HygieneSeverity.Warn)} ok, {Count(rows.Count(row => row == HygieneSeverity.Warn) + warnings.Count, "warning")}, ")
            + (refused > 0 ? Invariant($"{refused} that a lab refuses, ") : "") + $"{Count(strikes.Count, "block")} repeated"
            + (givenUp > 0 ? $", {Count(givenUp, "round")} given up" : "");
        return new HygieneNote(line,
        [
            .. strikes.Select(reason => new HygieneItem(true, $"repeated: {reason}")),
            .. warnings.Take(MostWarnings).Select(text => new HygieneItem(true, text)),
            .. findings.OrderByDescending(finding => finding.Severity).ThenBy(finding => finding.Row).Select(Item),
        ]);
    }

    /// <summary>What the figures are worth where the machine is nobody's own; empty elsewhere.</summary>
    public static IReadOnlyList<string> Worth(JsonObject machine) => PolicyOf(machine) == HygienePolicy.Hosted ? [Hosted] : [];

    private static HygienePolicy PolicyOf(JsonObject machine) =>
        Enum.TryParse<HygienePolicy>(Text(machine["policy"]), ignoreCase: true, out var known) && Enum.IsDefined(known)
            ? known : HygienePolicy.Any;

    private static HygieneItem Item(HygieneFinding finding) => new(
        finding.Severity >= HygieneSeverity.Warn, $"{finding.Name}: {finding.Value}{(finding.Fix is { } fix && finding.Severity >= HygieneSeverity.Warn ? $" ({fix})" : "")}");

    /// <summary>What was warned of while values were taken, each once, with how often.</summary>
    private static List<string> Warnings(SampleSet samples) =>
    [
        .. samples.Launches.Select(launch => launch.Hygiene).Concat(samples.MachineChecks)
            .SelectMany(facts => facts["warnings"] is JsonArray list ? list.Select(Text).OfType<string>() : [])
            .GroupBy(Kind, StringComparer.Ordinal)
            .Select(kind => kind.Count() == 1 ? kind.First() : Invariant($"{kind.First()} (and {kind.Count() - 1} more like it)")),
    ];

    // "0.31 % of the processor time went …" and "0.22 % …" are one kind.
    private static string Kind(string text) => string.Concat(text.Where(c => !char.IsAsciiDigit(c) && c is not ('.' or '+' or '-')));

    private static (List<string> Reasons, int GivenUp) Strikes(SampleSet samples)
    {
        // A resumed session strikes the round that was cut: that is no fault of the machine.
        var voids = samples.Voids.Where(voided => voided.Reason != "interrupted").ToList();
        var single = voids.Where(voided => !voided.Reason.StartsWith(BlockMark, StringComparison.Ordinal))
            .Select(voided => Invariant($"{voided.Cell} round {voided.Round + 1}: {voided.Reason}"));
        var whole = voids.Where(voided => voided.Reason.StartsWith(BlockMark, StringComparison.Ordinal)).Select(voided => voided.Reason).Distinct(StringComparer.Ordinal);
        return ([.. whole, .. single], voids.Count(voided => voided.Attempt >= CountedRounds.LastAttempt));
    }

    private static string Count(int count, string what) => Invariant($"{count} {what}{(count == 1 ? "" : "s")}");

    private static string? Text(JsonNode? node) => node is JsonValue value && value.TryGetValue<string>(out var text) ? text : null;
}
