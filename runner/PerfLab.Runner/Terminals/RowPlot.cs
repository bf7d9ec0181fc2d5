using PerfLab.Reports.Svg;
using PerfLab.Reports.Text;

namespace PerfLab.Runner.Terminals;

/// <summary>
/// The rounds of one row in 72 columns: a dot for each paired difference, the interval below it, the margin and no change as columns; then
/// where
/// the launches of base and head lie, one line each. On a pipe it is ASCII.
/// </summary>
internal static class RowPlot
{
    public const int Width = 72;

    private const int Label = 10, Columns = Width - Label, MostDots = 4;
    private const string Blocks = " ▁▂▃▄▅▆▇█", AsciiBlocks = " .:-=+*#@";

    /// <param name="picture">The row; one without pairs has no plot.</param>
    /// <param name="ascii">Nothing but ASCII.</param>
    public static IReadOnlyList<PlotLine> Of(RowPicture picture, bool ascii)
    {
        if (picture.Row.Measured.Count == 0)
        {
            return [];
        }

        var axis = ChangeAxis.Of([.. picture.Row.Measured.Select(round => round.Difference), -picture.Margin, picture.Margin,
            .. picture.Interval is { } shown ? new[] { shown.Low, shown.High } : []], picture.Row.Figures.Unit);
        int Column(double log) => Math.Clamp((int)(axis.Place(log) * Columns), 0, Columns - 1);
        var ground = Ground((Column(-picture.Margin), Column(0), Column(picture.Margin)), ascii);
        var lines = new List<PlotLine>();
        lines.AddRange(Dots([.. picture.Row.Measured.Select(round => Column(round.Difference))], ground, ascii)
            .Select(line => new PlotLine(line, IsFinding: true)));
        if (picture.Interval is { } interval && picture.Centre is { } centre)
        {
            lines.Add(new(Labelled(picture.Coverage, Bar((Column(interval.Low), Column(centre), Column(interval.High)), ground, ascii)),
                IsFinding: true));
        }

        lines.Add(new(new string(' ', Label) + Ticks(axis)));
        lines.Add(new(new string(' ', Label) + Legend(picture, ascii)));
        lines.AddRange(Distributions(picture, ascii).Select(line => new PlotLine(line)));
        return lines;
    }

    private static char[] Ground((int Low, int Zero, int High) column, bool ascii)
    {
        var ground = new char[Columns];
        Array.Fill(ground, ' ');
        (ground[column.Low], ground[column.High]) = (ascii ? ':' : '┊', ascii ? ':' : '┊');
        ground[column.Zero] = ascii ? '|' : '│';
        return ground;
    }

    /// <summary>Dots of one column lie above each other; a plus says that there are more than fit.</summary>
    private static IEnumerable<string> Dots(int[] columns, char[] ground, bool ascii)
    {
        var counts = new int[Columns];
        foreach (var column in columns)
        {
            counts[column]++;
        }

        var height = Math.Min(MostDots, counts.Max());
        for (var level = height; level >= 1; level--)
        {
            var line = (char[])ground.Clone();
            for (var column = 0; column < Columns; column++)
            {
                if (counts[column] >= level)
                {
                    line[column] = level == MostDots && counts[column] > MostDots ? '+' : ascii ? 'o' : '●';
                }
            }

            yield return Labelled(level == 1 ? "rounds" : "", line);
        }
    }

    private static char[] Bar((int Low, int Centre, int High) column, char[] ground, bool ascii)
    {
        var line = (char[])ground.Clone();
        for (var place = column.Low; place <= column.High; place++)
        {
            line[place] = ascii ? '=' : '━';
        }

        (line[column.Low], line[column.High]) = (ascii ? '[' : '┣', ascii ? ']' : '┫');
        line[column.Centre] = ascii ? '#' : '◆';
        return line;
    }

    /// <summary>What the two kinds of columns are, and which way is worse.</summary>
    private static string Legend(RowPicture picture, bool ascii) => $"{(ascii ? '|' : '│')} no change  "
        + $"{(ascii ? ':' : '┊')} margin {Percent.Of(Math.Exp(picture.Margin) - 1)}  right is {Percent.Worse(picture.Row.Figures.Unit)}";

    /// <summary>As many labels as fit beside each other, no change first: without it the others say little.</summary>
    private static string Ticks(ChangeAxis axis)
    {
        var line = new char[Columns];
        Array.Fill(line, ' ');
        foreach (var (place, label) in axis.Ticks.OrderBy(tick => tick.Label == "0" ? 0 : 1).ThenBy(tick => tick.Place))
        {
            var start = Math.Clamp((int)(place * Columns) - (label.Length / 2), 0, Columns - label.Length);
            var (from, to) = (Math.Max(0, start - 1), Math.Min(Columns, start + label.Length + 1));
            if (line.AsSpan(from, to - from).IndexOfAnyExcept(' ') < 0)
            {
                label.CopyTo(line.AsSpan(start));
            }
        }

        return new string(line).TrimEnd();
    }

    /// <summary>Base and head over one axis: the higher the block, the more launches lie there.</summary>
    private static IEnumerable<string> Distributions(RowPicture picture, bool ascii)
    {
        var (reference, arm) = (picture.ReferenceValues, picture.ArmValues);
        var (low, high) = (Math.Min(reference.Min(), arm.Min()), Math.Max(reference.Max(), arm.Max()));
        int Column(double value) => high > low ? Math.Clamp((int)((value - low) / (high - low) * Columns), 0, Columns - 1) : Columns / 2;
        foreach (var (name, values) in new[] { (picture.Sides.Reference, reference), (picture.Sides.Arm, arm) })
        {
            var counts = new int[Columns];
            foreach (var value in values)
            {
                counts[Column(value)]++;
            }

            var most = counts.Max();
            var signs = ascii ? AsciiBlocks : Blocks;
            yield return Labelled(name,
                [.. counts.Select(count => signs[count == 0 ? 0 : Math.Max(1, (int)Math.Round(8.0 * count / most))])]);
        }

        var ends = Quantity.Format(picture.Row.Figures.Unit, low, high);
        var room = Columns - ends[0].Length - ends[1].Length;
        yield return room > 0 ? new string(' ', Label) + ends[0] + new string(' ', room) + ends[1]
            : $"{new string(' ', Label)}{ends[0]} to {ends[1]}";
    }

    private static string Labelled(string name, char[] line) => (name.PadRight(Label) + new string(line)).TrimEnd();
}

/// <summary>One line of a plot.</summary>
/// <param name="IsFinding">Dots and interval: in the colour of the verdict.</param>
internal sealed record PlotLine(string Text, bool IsFinding = false);
