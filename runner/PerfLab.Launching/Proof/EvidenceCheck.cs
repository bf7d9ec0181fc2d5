using PerfLab.Core.Evidence;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Results;

namespace PerfLab.Launching.Proof;

/// <summary>What came of holding a launch against its plan.</summary>
/// <param name="Disagreement">One sentence or more; null when it ran as planned.</param>
/// <param name="Proof">For the journal: what was seen, setting by setting. Null when the plan sets nothing.</param>
internal sealed record EvidenceVerdict(string? Disagreement, JsonObject? Proof);

/// <summary>Holds what a launch reports and left behind against the plan: a launch that did not run as claimed does not count.</summary>
internal static class EvidenceCheck
{
    /// <param name="end">How it ended; its files are read here, before the next launch takes them away.</param>
    /// <param name="proofLaunch">The traced launch of the same arm, where one was needed.</param>
    public static EvidenceVerdict Of(PlannedArm arm, JsonObject reported, LaunchEnd end, ProofLaunchFacts? proofLaunch)
    {
        var (seen, problems) = ObservationReader.Read(reported, end, proofLaunch);
        var proof = LaunchProof.Of(arm.Recipe.RuntimePatch, arm.Environment, seen, arm.Limits);
        var disagreements = proof.Disagreements.ToList();
        if (ProofVariables.MustLeaveJitList(arm) && seen is { HasNoJit: false, Summary: not { Methods: > 0 } })
        {
            disagreements.Add(problems is [var problem, ..] ? problem : "its JIT left no list of what it compiled: the lab's variables did not reach the runtime");
        }

        return new(
            disagreements.Count == 0 ? null : Quote.Of(string.Join("; ", disagreements), 1000),
            ProofNeed.HasKnobs(arm) || arm.Limits is not null ? Json(proof, seen, [.. problems, .. proofLaunch?.Doubts ?? []]) : null);
    }

    private static JsonObject Json(LaunchProof proof, Observation seen, IReadOnlyList<string> doubts)
    {
        var json = new JsonObject { ["settings"] = proof.ToJson(), ["indirect"] = Strings(proof.Indirect) };
        if (seen.Rundown is { } rundown)
        {
            json["rundown"] = new JsonObject { ["runtime"] = rundown.RuntimeVersion, ["flags"] = rundown.SettingsFlags };
        }

        if (seen.Summary is { } list)
        {
            json["jitSummary"] = new JsonObject
            {
                ["methods"] = list.Methods,
                ["tier0"] = list.Tier0,
                ["tier1"] = list.Tier1,
                ["instrumented"] = list.Instrumented,
                ["osr"] = list.Osr,
                ["fullOpts"] = list.FullOpts,
            };
        }

        if ((seen.Trace ?? seen.ProofLaunch) is { } launch)
        {
            json["proofLaunch"] = ProofLaunchFacts.ToJson(launch);
        }

        if (doubts.Count > 0)
        {
            json["doubts"] = Strings(doubts.Select(doubt => Quote.Of(doubt, 300)));
        }

        return json;
    }

    private static JsonArray Strings(IEnumerable<string> texts) => [.. texts.Select(text => (JsonNode)text)];
}
