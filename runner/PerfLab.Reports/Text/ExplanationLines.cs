using PerfLab.Core.Model;
using PerfLab.Core.Profiles;

namespace PerfLab.Reports.Text;

/// <summary>What changed in a row, a line for each counter and method.</summary>
internal static class ExplanationLines
{
    /// <summary>The short form: at most <see cref="ExplanationSummary.MostLines"/> lines and one that says what is missing.</summary>
    /// <param name="why">What was found.</param>
    /// <param name="quote">Makes a foreign name harmless where it is going to stand.</param>
    public static IReadOnlyList<string> Lines(ExplanationSummary why, Func<string, string> quote)
    {
        List<string> lines =
        [
            .. why.Methods.Select(method => $"{quote(method.Method)}: {Method(method)}{Where(method.Kind)}"),
            .. why.Figures.Select(figure => Figure(figure, why.Work)),
        ];
        if (lines.Count == 0)
        {
            lines.Add(why.Rounds < ProfileComparison.LeastRounds
                ? Invariant($"nothing can be said: {why.Rounds} traced rounds are whole, {ProfileComparison.LeastRounds} are needed")
                : Invariant($"no counter and no method changed beyond chance in {why.Rounds} traced rounds"));
        }
        else if (why.More > 0)
        {
            lines[^1] += Invariant($"; {why.More} more in explanation.json");
        }

        return why.Doubt is { } doubt ? [.. lines, $"doubt: {quote(doubt)}"] : lines;
    }

    public static string Figure(FigureChange figure, string work)
    {
        var (name, unit) = figure.Figure switch
        {
            ProfileFigure.ManagedTime => ("time in managed code", "s"),
            ProfileFigure.Allocated => ("allocated (sampled)", "B"),
            ProfileFigure.Collections => ("garbage collections", ""),
            ProfileFigure.CollectionPause => ("pauses of the collector", "s"),
            ProfileFigure.Contentions => ("waits for a lock", ""),
            ProfileFigure.ContentionTime => ("time waiting for locks", "s"),
            ProfileFigure.Exceptions => ("exceptions", ""),
            _ => ("methods compiled while measuring", ""),
        };
        var values = Quantity.Format(unit, figure.Reference, figure.Arm);
        var share = figure.Reference > 0
            ? Percent.Change(figure.Change / figure.Reference, figure.Low / figure.Reference, figure.High / figure.Reference, unit)
            : "none before";
        return $"{name}: {values[0]} -> {values[1]} per {UntrustedText.Line(work)} ({share})";
    }

    public static string Method(MethodChange method)
    {
        var unit = method.Kind switch { ProfileKind.Processor or ProfileKind.Contention => "s", ProfileKind.Allocation => "B", _ => "" };
        var sign = method.Change > 0 ? "+" : "-";
        var size = Quantity.Format(unit, Math.Abs(method.Change))[0];
        return Invariant($"{sign}{size} ({method.Share * 100:+0.0;-0.0;0.0} % of everything, in {method.Agree * 100:0} % of the rounds)")
            + (method.HasOtherCode ? ", its code changed" : "")
            + (method.OnlyMoved ? ", only moved: with its callers and what it calls it costs the same" : "");
    }

    private static string Where(ProfileKind kind) => kind switch
    {
        ProfileKind.Allocation => ", allocated by it",
        ProfileKind.Contention => ", waited for a lock by it",
        ProfileKind.Exceptions => ", exceptions thrown by it",
        _ => ", time of its own",
    };
}
