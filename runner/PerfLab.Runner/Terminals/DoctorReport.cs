using System.Text.Encodings.Web;
using PerfLab.Core.Model;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;
using PerfLab.Programs;
using Spectre.Console;

namespace PerfLab.Runner.Terminals;

/// <summary>What doctor found, for people and for machines.</summary>
internal static class DoctorReport
{
    private const int MostShown = 160;

    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true, NewLine = "\n", Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>A table of all rows; what is wrong and how to fix it below, the worst first, so that it stands where the eye ends.</summary>
    public static void Write(HygienePolicy policy, IReadOnlyList<HygieneFinding> findings, TextWriter output, TerminalStyle style)
    {
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = style.Colours ? AnsiSupport.Yes : AnsiSupport.No,
            ColorSystem = style.Colours ? ColorSystemSupport.Standard : ColorSystemSupport.NoColors,
            Interactive = InteractionSupport.No,
            Out = new FixedWidthOutput(output, style.Width),
        });
        var table = new Table().Border(style.Ascii ? TableBorder.Ascii : TableBorder.Rounded)
            .AddColumn(new TableColumn("row").RightAligned().NoWrap()).AddColumn("what").AddColumn("found").AddColumn(new TableColumn("judgement").NoWrap());
        foreach (var finding in findings)
        {
            table.AddRow(
                new Text(finding.Row > 0 ? Invariant($"{finding.Row}") : ""), new Text(Show(finding.Name, style)),
                new Text(Show(Short(finding.Value), style)), new Text(Word(finding.Severity), Colour(finding.Severity)));
        }

        console.Write(table);
        foreach (var same in findings.Where(finding => finding.Fix is not null).GroupBy(finding => (finding.Severity, finding.Fix)).OrderByDescending(same => same.Key.Severity))
        {
            foreach (var finding in same)
            {
                output.Write($"{Word(finding.Severity),-8}{Show($"{finding.Name}: {finding.Value}", style)}\n");
            }

            output.Write($"        to do: {Show(same.Key.Fix!, style)}\n");
        }

        output.Write(Invariant($"\npolicy {policy.ToString().ToLowerInvariant()}: {Count(HygieneSeverity.Ok)} ok, {Count(HygieneSeverity.Record)} recorded, {Count(HygieneSeverity.Warn)} warnings, {Count(HygieneSeverity.Refuse)} refused\n"));

        int Count(HygieneSeverity severity) => findings.Count(finding => finding.Severity == severity);
    }

    /// <summary>The findings, and the whole fingerprint that they were judged from.</summary>
    public static string ToJson(HygienePolicy policy, IReadOnlyList<HygieneFinding> findings, JsonObject facts) => new JsonObject
    {
        ["policy"] = policy.ToString().ToLowerInvariant(),
        ["findings"] = new JsonArray([.. findings.Select(finding => (JsonNode)new JsonObject
        {
            ["row"] = finding.Row > 0 ? finding.Row : null,
            ["severity"] = Word(finding.Severity),
            ["name"] = finding.Name,
            ["value"] = finding.Value,
            ["fix"] = finding.Fix,
        })]),
        ["facts"] = facts.DeepClone(),
    }.ToJsonString(Indented);

    private static string Word(HygieneSeverity severity) => severity.ToString().ToLowerInvariant();

    private static string Short(string text) => text.Length <= MostShown ? text : text[..MostShown] + "…";

    private static string Show(string text, TerminalStyle style) => style.Ascii ? Ascii.Of(UntrustedText.Line(text, UntrustedText.MaxChars)) : UntrustedText.Line(text, UntrustedText.MaxChars);

    private static Style Colour(HygieneSeverity severity) => severity switch
    {
        HygieneSeverity.Refuse => new Style(Color.Red),
        HygieneSeverity.Warn => new Style(Color.Yellow),
        HygieneSeverity.Ok => new Style(Color.Green),
        _ => Style.Plain,
    };
}
