using System.Runtime.InteropServices;

namespace PerfLab.Calibration.Published;

/// <summary>
/// How well places match those that several people labelled, as van den Burg and Williams count it ("An evaluation of change point
/// detection algorithms", arXiv 2003.06222): precision against whatever anybody labelled, recall as the mean over the people. The start
/// of a series counts as a change that everybody labelled and every way found, so a series without a change has a score too.
/// </summary>
/// <param name="Precision">Share of the places that somebody labelled.</param>
/// <param name="Recall">Mean over the people: share of one's labels that were found.</param>
/// <param name="F1">Harmonic mean of the two; neither is ever 0, because the start counts.</param>
[StructLayout(LayoutKind.Auto)]
public readonly record struct LabelScore(double Precision, double Recall, double F1)
{
    /// <summary>A place so many points away from a label still is that one (their margin).</summary>
    public const int Margin = 5;

    /// <param name="people">The labels of each person; an empty list is somebody who saw no change.</param>
    /// <param name="found">Places.</param>
    public static LabelScore Of(IReadOnlyList<IReadOnlyList<int>> people, IEnumerable<int> found)
    {
        SortedSet<int> places = [0, .. found];
        SortedSet<int>[] labels = [.. people.Select(one => new SortedSet<int>([0, .. one]))];
        SortedSet<int> anybodys = [.. labels.SelectMany(one => one)];
        var precision = (double)Met(anybodys, places) / places.Count;
        var recall = labels.Average(one => (double)Met(one, places) / one.Count);
        return new(precision, recall, 2 * precision * recall / (precision + recall));
    }

    /// <summary>Each figure's mean, the F1 too: it is not the F1 of the mean precision and recall.</summary>
    public static LabelScore Mean(IReadOnlyList<LabelScore> scores) =>
        new(scores.Average(one => one.Precision), scores.Average(one => one.Recall), scores.Average(one => one.F1));

    /// <summary>
    /// Labels that have a place of their own: each place serves one label, the earliest label first, and each takes the nearest.
    /// </summary>
    private static int Met(SortedSet<int> labels, SortedSet<int> places)
    {
        var (free, met) = (places.ToList(), 0);
        foreach (var label in labels)
        {
            if (free.Count > 0 && free.MinBy(place => Math.Abs(place - label)) is var nearest && Math.Abs(nearest - label) <= Margin)
            {
                free.Remove(nearest);
                met++;
            }
        }

        return met;
    }
}
