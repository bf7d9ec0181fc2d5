using System.Globalization;
using PerfLab.Core.Model;
using static System.FormattableString;

namespace PerfLab.Calibration.Years;

/// <summary>What is put into a year, and how its sessions are called.</summary>
internal static class YearPlan
{
    public static List<KnownChange> Draw(YearSettings settings, SeededRandom random)
    {
        var known = new List<KnownChange>();
        for (var change = 0; change < settings.CodeChanges - settings.Fixes; change++)
        {
            // From the smallest to 10 %, three of four for the worse, in one series or in several.
            var size = Math.Log(1 + (settings.LeastSize * Math.Pow(0.10 / settings.LeastSize, random.NextDouble())))
                * (random.Next(4) == 0 ? -1 : 1);
            known.Add(new(Session(settings, random), null, Some(settings, random, 1 + random.Next(5)), size));
        }

        foreach (var (index, change) in known.Take(settings.Fixes).ToList().Index())
        {
            var after = change.Session + settings.FixedAfter + random.Next(5);
            known.Add(change with { Session = after, Size = -change.Size, TakesBack = index });
        }

        // From numbers of their own: the rest of a year is the same without them.
        var partly = SeededRandom.For(settings.Seed, "changes that are mended in part");
        foreach (var (index, change) in known.Index().Skip(settings.Fixes)
            .Where(one => one.Item.TakesBack is null && one.Item.Series.Count > 1).Take(settings.PartialFixes).ToList())
        {
            known.Add(new(change.Session + 10 + partly.Next(5), null, [change.Series[0]], -change.Size, index));
        }

        for (var change = 0; change < settings.HostChanges; change++)
        {
            var machine = change % settings.Machines;
            var size = (0.02 + (0.06 * random.NextDouble())) * (random.Next(2) == 0 ? -1 : 1);
            List<int> onMachine = [.. Enumerable.Range(0, settings.Series).Where(series => series % settings.Machines == machine)];
            known.Add(new(HostSession(settings, random, change), machine, [.. random.Shuffle(onMachine).Take(onMachine.Count / 4)], size));
        }

        return known;
    }

    public static string SessionName(int session) => Invariant($"week-{session:000}");

    public static int SessionOf(string name) => int.Parse(name.AsSpan(5), CultureInfo.InvariantCulture);

    /// <summary>A commit a session.</summary>
    public static string Commit(int session) => Invariant($"{session + 0xC0FFEE00:x12}");

    private static int Session(YearSettings settings, SeededRandom random) => settings.Before + 1
        + random.Next(settings.Sessions - settings.Quiet);

    /// <summary>Steps of one machine are eight weeks apart or more: closer ones are one step that can't be told from noise.</summary>
    private static int HostSession(YearSettings settings, SeededRandom random, int change)
    {
        const int Apart = 8;
        var perMachine = Math.Max(1, (settings.HostChanges + settings.Machines - 1) / settings.Machines);
        var slot = (settings.Sessions - settings.Quiet) / perMachine;
        return settings.Before + 1 + (change / settings.Machines * slot) + random.Next(Math.Max(1, slot - Apart));
    }

    private static List<int> Some(YearSettings settings, SeededRandom random, int count) =>
        [.. random.Shuffle(Enumerable.Range(0, settings.Series)).Take(Math.Min(count, settings.Series))];
}
