using System.Security.Cryptography;
using PerfLab.Building;
using PerfLab.Building.Changes;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Proof;

namespace PerfLab.Runner.Sessions;

/// <summary>
/// Says what differs between two builds, and whether that can touch a row: by the difference alone where it can, else by launches that list
/// what each arm runs (docs/selection.md).
/// </summary>
public sealed class TouchJudge(ArmBuilds builds, ListLaunches lists)
{
    /// <summary>Lists of a benchmark whose paths depend on timing differ by a method or two; three launches have shown them all.</summary>
    private const int MoreLaunches = 2;

    private readonly Dictionary<string, (BuildContent? Content, string? Why)> _contents = new(StringComparer.Ordinal);
    private readonly Dictionary<(string, string), (BuildDifference Difference, TouchRule? Rule)> _differences = [];

    /// <summary>Whether the arm is touched, against the cell's first arm. Both are built.</summary>
    public async Task<(BuildDifference Difference, TouchedPair Touched)> OfAsync(
        PlannedCell cell, PlannedArm arm, CancellationToken cancellationToken)
    {
        var (difference, rule) = DifferenceOf(cell, arm);
        return (difference, await JudgeAsync(cell, arm, difference, rule, cancellationToken));
    }

    private async Task<TouchedPair> JudgeAsync(
        PlannedCell cell, PlannedArm arm, BuildDifference difference, TouchRule? rule, CancellationToken cancellationToken)
    {
        TouchedPair Said(Touch touch, params JitList[] seen) => new(cell.Id, arm.Id, difference.Id, touch.Untouched, Cut(touch.Reason))
        {
            Runs = touch.Runs.Count == 0 ? null : [.. touch.Runs.Take(BuildDifference.MostNames).Select(Cut)],
            Lists = seen.Length == 0 ? null : [.. seen.Select(HashOf)],
        };

        if (rule is null)
        {
            return Said(Measured("everything is measured"));
        }

        if (cell.Arms.Append(arm).Select(one => ListLaunches.Hindrance(cell, one)).FirstOrDefault(why => why is not null) is { } hindrance)
        {
            return Said(Measured(hindrance));
        }

        if (rule.ChangesNothing)
        {
            return Said(new(true, "the same code, compiled again", []));
        }

        var old = await ListAsync(cell, cell.Arms[0], isFresh: false, cancellationToken);
        if (old.Problem is { } unlisted)
        {
            return Said(Measured($"{cell.Arms[0].Id}: {unlisted}"));
        }

        if (rule.OfReference(old.Methods) is { Untouched: false } touched)
        {
            return Said(touched, old);
        }

        var now = await ListAsync(cell, arm, isFresh: false, cancellationToken);
        for (var more = 0; more < MoreLaunches && old.Problem is null && now.Problem is null
            && !rule.AreEqual(old.Methods, now.Methods); more++)
        {
            old = old.With(await ListAsync(cell, cell.Arms[0], isFresh: true, cancellationToken));
            now = now.With(await ListAsync(cell, arm, isFresh: true, cancellationToken));
        }

        return (old.Problem ?? now.Problem) is { } problem
            ? Said(Measured($"{(old.Problem is null ? arm.Id : cell.Arms[0].Id)}: {problem}"))
            : Said(rule.Of(old.Methods, now.Methods), old, now);
    }

    private static Touch Measured(string why) => new(false, $"measured all the same: {why}", []);

    private Task<JitList> ListAsync(PlannedCell cell, PlannedArm arm, bool isFresh, CancellationToken cancellationToken) =>
        lists.OfAsync(cell, arm, ContentOf(builds[cell.Id, arm.Id].Build!).Content!, isFresh, cancellationToken);

    /// <summary>The rule is null where everything has to be measured.</summary>
    private (BuildDifference Difference, TouchRule? Rule) DifferenceOf(PlannedCell cell, PlannedArm arm)
    {
        var (old, now) = (builds[cell.Id, cell.Arms[0].Id].Build!, builds[cell.Id, arm.Id].Build!);
        if (!_differences.TryGetValue((old.Identity, now.Identity), out var known))
        {
            _differences[(old.Identity, now.Identity)] = known = Compared(cell, arm, ContentOf(old), ContentOf(now));
        }

        return known;
    }

    private static (BuildDifference Difference, TouchRule? Rule) Compared(
        PlannedCell cell, PlannedArm arm, (BuildContent? Content, string? Why) old, (BuildContent? Content, string? Why) now)
    {
        if (old.Content is null || now.Content is null)
        {
            var why = old.Content is null ? $"{cell.Arms[0].Id}: {old.Why}" : $"{arm.Id}: {now.Why}";
            return (new("sha256:" + Hash(why), 0, [], [Cut(why)]), null);
        }

        var change = BuildChange.Of(old.Content, now.Content);
        var names = change.Methods.Select(part => Cut(part.Words)).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal);
        return (new(change.Hash, change.Methods.Count, [.. names.Take(BuildDifference.MostNames)],
            [.. change.Everything.Take(BuildDifference.MostNames).Select(Cut)]),
            change.Everything.Count > 0 ? null : new(old.Content, now.Content, change));
    }

    private (BuildContent? Content, string? Why) ContentOf(Build build)
    {
        if (!_contents.TryGetValue(build.Identity, out var known))
        {
            _contents[build.Identity] = known = build.Image is not null ? (null, "it is an image") : BuildContent.Read(build.Folder);
        }

        return known;
    }

    private static string HashOf(JitList list) => "sha256:" + Hash(string.Join('\n', list.Methods.Order(StringComparer.Ordinal)));

    private static string Hash(string text) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)));

    // Names come from an assembly, and may be as long as one.
    private static string Cut(string text) => UntrustedText.Line(text, UntrustedText.MaxNameChars);
}
