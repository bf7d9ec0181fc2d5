namespace PerfLab.Reports.Svg;

/// <summary>
/// Colours of the lines on a light and on a dark ground, every one with a contrast of at least 4.5 to it (WCAG 2.2, AA; a test computes it).
/// Lines also differ in mark and dash: nobody has to tell colours apart.
/// </summary>
public static class Palette
{
    public const string LightGround = "#ffffff", DarkGround = "#0d1117";
    public const string LightText = "#1f2328", DarkText = "#e6edf3";
    public const string LightFaint = "#59636e", DarkFaint = "#9198a1";

    public static IReadOnlyList<string> Light { get; } = ["#0a60c2", "#bc3f0b", "#0d7350", "#8438b8", "#7d5a00", "#b0216a", "#0b6b82", "#4a535e"];
    public static IReadOnlyList<string> Dark { get; } = ["#6cb2ff", "#ff9a5c", "#4fd1a1", "#c9a2ff", "#e8c15a", "#ff8fc0", "#5fd3e8", "#b6bec9"];

    /// <summary>Dash patterns; the first lines are the ones that most charts have.</summary>
    private static readonly string[] Dashes = ["none", "none", "7 4", "2 4", "10 3 2 3", "7 4", "2 4", "none"];

    public static int Count => Light.Count;

    internal static string StyleSheet()
    {
        var rules = new StringBuilder();
        rules.Append("    text { font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; font-size: 13px }\n");
        rules.Append("    .title { font-size: 17px; font-weight: 600 } .note { font-size: 12px } .name { font-weight: 600 }\n");
        rules.Append("    .grid { stroke-width: 1; stroke-opacity: .22 } .axis { stroke-width: 1; stroke-opacity: .7 } .event { stroke-width: 1.2; stroke-dasharray: 3 3 }\n");
        rules.Append("    .line { fill: none; stroke-width: 2; stroke-linejoin: round } .bar { stroke-width: 1.5 } .band { fill-opacity: .16; stroke: none } .lead { stroke-width: 1; stroke-opacity: .45; fill: none }\n");
        for (var index = 0; index < Count; index++)
        {
            rules.Append(CultureInfo.InvariantCulture, $"    .d{index} {{ stroke-dasharray: {Dashes[index]} }}\n");
        }

        rules.Append(Colours(LightGround, LightText, LightFaint, Light));
        rules.Append("    @media (prefers-color-scheme: dark) {\n").Append(Colours(DarkGround, DarkText, DarkFaint, Dark)).Append("    }");
        return rules.ToString();
    }

    private static string Colours(string ground, string text, string faint, IReadOnlyList<string> lines)
    {
        var rules = new StringBuilder();
        rules.Append(CultureInfo.InvariantCulture, $"    .ground {{ fill: {ground} }} text {{ fill: {text} }} .faint {{ fill: {faint} }} .grid, .axis, .event {{ stroke: {faint} }}\n");
        for (var index = 0; index < lines.Count; index++)
        {
            rules.Append(CultureInfo.InvariantCulture, $"    .s{index} {{ stroke: {lines[index]} }} .f{index} {{ fill: {lines[index]} }} .m{index} {{ fill: {lines[index]}; stroke: {ground}; stroke-width: 1.5 }}\n");
        }

        return rules.ToString();
    }
}
