using System.Diagnostics;
using System.Text.Json.Nodes;
using PerfLab.Core.Journal;
using PerfLab.Core.Model;
using PerfLab.Launching.Processes;
using PerfLab.Runner.Sessions;

namespace PerfLab.Selection;

/// <summary>What `run` would leave out of a plan of two builds: asked as it asks, and then nothing is measured.</summary>
internal static class Choice
{
    /// <summary>One line of JSON.</summary>
    /// <param name="path">Of plan.json.</param>
    /// <param name="touches">Folder for lists, shared by all plans of a repository as a lab's own is.</param>
    public static async Task<string> OfAsync(string path, string touches)
    {
        var (plan, builds) = Built.Read(path);
        var header = new SessionHeader
        {
            Session = "selection",
            Plan = plan.Hash,
            Seed = plan.Seed,
            Started = DateTimeOffset.UtcNow,
            Executor = "process",
            Policy = plan.Policy,
            Cells = builds.ToCells(plan),
        };
        var stream = new MemoryStream();
        var clock = Stopwatch.StartNew();
        await using var launcher = new CountedLauncher(ProcessLauncher.Create());
        using (var journal = new JournalWriter(stream, () => { }))
        {
            var setup = new SessionSetup { Plan = plan, Builds = builds, Header = header, Touches = touches };
            await launcher.PrepareAsync([.. builds.Builds], CancellationToken.None);
            await new Runner.Sessions.Selection(setup, SessionRecord.Start(journal, header), launcher, new Progress<SessionProgress>())
                .RunAsync(CancellationToken.None);
        }

        var samples = JournalReader.Read(stream.ToArray()).Samples ?? throw new InvalidDataException("the journal can't be read");
        var touched = samples.Touches.Where(touch => !touch.Untouched).ToList();
        var asked = samples.Touches.Select(touch => touch.Cell).ToHashSet(StringComparer.Ordinal);
        var others = plan.Cells.Where(cell => !asked.Contains(cell.Id))
            .Select(cell => cell.Arms.Select(arm => builds[cell.Id, arm.Id].Build?.Identity).ToList()).ToList();
        return new JsonObject
        {
            ["rows"] = plan.Cells.Count,
            ["measured"] = touched.Count,
            ["untouched"] = samples.Touches.Count(touch => touch.Untouched),
            ["sameBuild"] = others.Count(identities => identities.Distinct(StringComparer.Ordinal).Count() == 1 && identities[0] is not null),
            ["notBuilt"] = others.Count(identities => identities.Contains(null)),
            ["methods"] = samples.Differences.Select(difference => difference.Methods).DefaultIfEmpty().Max(),
            ["everything"] = Texts(samples.Differences.SelectMany(difference => difference.Everything)),
            ["because"] = new JsonObject(touched.GroupBy(touch => Kind(touch.Reason), StringComparer.Ordinal)
                .Select(kind => KeyValuePair.Create(kind.Key, (JsonNode?)JsonValue.Create(kind.Count())))),
            ["measuredRows"] = Texts(touched.Select(touch => NameOf(plan.Cells.First(cell => cell.Id == touch.Cell).Parameters))),
            ["launches"] = launcher.Launches,
            ["seconds"] = Math.Round(clock.Elapsed.TotalSeconds, 1),
            ["leastSeconds"] = Math.Round(plan.Estimate.LeastSeconds),
            ["mostSeconds"] = Math.Round(plan.Estimate.MostSeconds),
        }.ToJsonString();
    }

    private static JsonArray Texts(IEnumerable<string> texts) => new([.. texts.Select(text => (JsonNode?)JsonValue.Create(text))]);

    private static string NameOf(IReadOnlyDictionary<string, string> parameters) => string.Join(' ', parameters.Values);

    /// <summary>The reason without what it names.</summary>
    private static string Kind(string reason) =>
        reason.StartsWith("runs ", StringComparison.Ordinal) && reason.Contains(" changed method", StringComparison.Ordinal)
            ? "runs what changed"
        : reason.StartsWith("looks at metadata", StringComparison.Ordinal) ? "looks at metadata"
        : reason.StartsWith("measured all the same", StringComparison.Ordinal) ? reason
        : reason.Split(": ")[0];
}
