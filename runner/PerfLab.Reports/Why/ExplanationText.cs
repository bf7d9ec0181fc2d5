using PerfLab.Core.Model;
using PerfLab.Core.Profiles;
using PerfLab.Reports.Text;

namespace PerfLab.Reports.Why;

/// <summary>The explanation for a terminal and, with other marks, for Markdown.</summary>
public static class ExplanationText
{
    private const int MostMethods = 12;

    public static string Plain(Explanation explanation) => Render(explanation, name => UntrustedText.Line(name, 110), "", "  ");

    public static string Markdown(Explanation explanation) => Render(explanation, name => UntrustedText.Code(name), "## ", "- ");

    private static string Render(Explanation explanation, Func<string, string> quote, string heading, string bullet)
    {
        var text = new StringBuilder();
        foreach (var row in explanation.Rows)
        {
            var (arm, reference) = (UntrustedText.Line(row.Arm), UntrustedText.Line(row.Reference));
            text.Append(CultureInfo.InvariantCulture,
                $"{heading}Why: {UntrustedText.Line(row.Label)}, {arm} against {reference}, {row.Rounds} traced rounds\n{(row.Figures.Count > 0 ? "\n" : "")}");
            foreach (var figure in row.Figures)
            {
                text.Append(bullet).Append(ExplanationLines.Figure(figure, row.Work)).Append('\n');
            }

            foreach (var kind in row.Methods.GroupBy(method => method.Kind))
            {
                text.Append('\n').Append(Title(kind.Key, row)).Append("\n\n");
                foreach (var method in kind.Take(MostMethods))
                {
                    text.Append(bullet).Append(ExplanationLines.Method(method)).Append("  ").Append(quote(method.Method)).Append('\n');
                }

                if (kind.Count() > MostMethods)
                {
                    text.Append(CultureInfo.InvariantCulture, $"{bullet}and {kind.Count() - MostMethods} more, in explanation.json\n");
                }
            }

            if (row.Figures.Count == 0 && row.Methods.Count == 0)
            {
                text.Append('\n').Append(bullet).Append(row.Rounds >= ProfileComparison.LeastRounds
                    ? "no counter and no method changed beyond chance\n" : "nothing can be said\n");
            }

            if (row.OtherCode is { Count: > 0 } other && !row.Methods.Any(method => method.HasOtherCode))
            {
                text.Append(bullet).Append("none of the methods whose code changed costs otherwise beyond chance: ")
                    .AppendJoin(", ", other.Take(MostMethods).Select(quote)).Append(other.Count > MostMethods ? ", …\n" : "\n");
            }

            foreach (var doubt in row.Doubts)
            {
                text.Append(bullet).Append("doubt: ").Append(quote(doubt)).Append('\n');
            }

            text.Append('\n');
        }

        return text.Append(Reading).Append('\n').ToString();
    }

    /// <summary>The differential flame graph of a row that has one.</summary>
    public static string Flame(ExplainedRow row) => FlameSvg.Render(
        FrameTree.Of(row.Flame ?? []), $"Where the time goes: {row.Label}, {row.Arm} against {row.Reference}",
        Invariant($"mean of {row.Rounds} traced launches of each arm, time in managed code for one unit of work"));

    /// <summary>What a reader must know of every figure.</summary>
    public const string Reading =
        "Traced launches are slower than measured ones and count for nothing but this. Named is what changed beyond chance "
        + "(exact signed-rank, Holm, 5 %) and by at least 1 % of everything, or 0.1 % where a method's code changed; "
        + "what is not named may have changed by less. A sample falls where the runtime can stop a thread: a short method's time "
        + "may be its caller's, or be told of what is called next.";

    private static string Title(ProfileKind kind, ExplainedRow row) => kind switch
    {
        ProfileKind.Processor => "time of the method itself",
        ProfileKind.Allocation => "bytes that the method itself allocated",
        ProfileKind.Contention => "waiting for a lock, by who asked for it",
        _ => "exceptions, by who threw them",
    } + $", change per {UntrustedText.Line(row.Work)}";
}
