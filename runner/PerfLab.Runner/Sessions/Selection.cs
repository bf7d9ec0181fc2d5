using System.Security.Cryptography;
using PerfLab.Building;
using PerfLab.Building.Changes;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Launching;
using PerfLab.Launching.Touches;

namespace PerfLab.Runner.Sessions;

/// <summary>
/// Before anything is measured: says of each pair of builds what differs, and of each row whether that can touch it. What is not proven is
/// measured. Each answer is in the journal before the next question, so that going on asks nothing twice.
/// </summary>
public sealed class Selection(SessionSetup setup, SessionRecord record, ILauncher launcher, IProgress<SessionProgress> progress)
{
    /// <summary>Lists of a benchmark whose paths depend on timing differ by a method or two; three launches have shown them all.</summary>
    private const int MoreLaunches = 2;

    private readonly ListLaunches _lists = new(setup.Launches, launcher, new(setup.Touches));
    private readonly Dictionary<string, (BuildContent? Content, string? Why)> _contents = new(StringComparer.Ordinal);
    private readonly Dictionary<(string, string), (BuildDifference Difference, TouchRule? Rule)> _differences = [];

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        var pairs = !setup.Plan.OnlyTouched ? []
            : setup.Plan.Cells.SelectMany(cell => cell.Arms.Skip(1).Select(arm => (Cell: cell, Arm: arm)))
            .Where(pair => IsAsked(pair.Cell, pair.Arm)).ToList();
        foreach (var (cell, arm) in pairs)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var name = cell.Parameters.GetValueOrDefault(BenchmarkCases.Parameter) ?? cell.Id;
            progress.Report(new($"what {name} runs", 0, pairs.Count, null, null));
            record.Add(await JudgeAsync(cell, arm, cancellationToken));
        }
    }

    /// <summary>Built, compared with another build alone, and not asked before.</summary>
    private bool IsAsked(PlannedCell cell, PlannedArm arm)
    {
        var (reference, build) = (setup.Builds[cell.Id, cell.Arms[0].Id].Build, setup.Builds[cell.Id, arm.Id].Build);
        return reference is not null && build is not null && reference.Identity != build.Identity && cell.Unavailable is null
            && PairEvidence.DifferInBuildOnly(arm.Dimensions, cell.Arms[0].Dimensions)
            && !record.SoFar.Touches.Any(touch => touch.Cell == cell.Id && touch.Arm == arm.Id)
            // A journal from before there was such a question goes on as it began.
            && !record.SoFar.Launches.Any(launch => launch.Cell == cell.Id);
    }

    private async Task<TouchedPair> JudgeAsync(PlannedCell cell, PlannedArm arm, CancellationToken cancellationToken)
    {
        var (difference, rule) = DifferenceOf(cell, arm);
        TouchedPair Said(Touch touch, params JitList[] lists) => new(cell.Id, arm.Id, difference.Id, touch.Untouched, Cut(touch.Reason))
        {
            Runs = touch.Runs.Count == 0 ? null : [.. touch.Runs.Take(BuildDifference.MostNames).Select(Cut)],
            Lists = lists.Length == 0 ? null : [.. lists.Select(HashOf)],
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
        _lists.OfAsync(cell, arm, ContentOf(setup.Builds[cell.Id, arm.Id].Build!).Content!, isFresh, cancellationToken);

    /// <summary>The rule is null where everything has to be measured.</summary>
    private (BuildDifference Difference, TouchRule? Rule) DifferenceOf(PlannedCell cell, PlannedArm arm)
    {
        var (old, now) = (setup.Builds[cell.Id, cell.Arms[0].Id].Build!, setup.Builds[cell.Id, arm.Id].Build!);
        if (!_differences.TryGetValue((old.Identity, now.Identity), out var known))
        {
            _differences[(old.Identity, now.Identity)] = known = Compared(cell, arm, ContentOf(old), ContentOf(now));
            record.Add(known.Difference);
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
