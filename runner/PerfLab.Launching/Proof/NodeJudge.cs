using PerfLab.Launching.Results;

namespace PerfLab.Launching.Proof;

/// <summary>
/// Holds the nodes of a launch beside the one that reports against the plan: each leaves a result with the launch's nonce, no metric, and
/// its own evidence. What one of them did otherwise than planned spoils the launch.
/// </summary>
internal static class NodeJudge
{
    /// <param name="evidence">Gets each node's, by its name, as "nodes".</param>
    /// <returns>One sentence or more, null when all ran as planned.</returns>
    public static string? Disagreements(LaunchExpectation expected, LaunchEnd end, JsonObject evidence)
    {
        var problems = new List<string>();
        var seen = new JsonObject();
        foreach (var (name, node) in end.Nodes.Where(node => node.End.ResultFile != end.ResultFile))
        {
            var reading = ResultReader.Read(node.ResultFile, new(expected.Nonce, [], node.WallSeconds));
            if (reading.Result is not { } result)
            {
                problems.Add($"{name}: {string.Join("; ", reading.Problems)}");
                continue;
            }

            var verdict = EvidenceCheck.Of(expected.Arm, result.Evidence, node, expected.ProofLaunch);
            result.Evidence.Remove("windows"); // of the one that reports they are judged, of others they are only many
            result.Evidence.Remove("proof");
            if (verdict.Proof is { } proof)
            {
                result.Evidence["proof"] = proof;
            }

            seen[name] = result.Evidence;
            if (verdict.Disagreement is { } disagreement)
            {
                problems.Add($"{name}: {disagreement}");
            }
        }

        if (seen.Count > 0)
        {
            evidence["nodes"] = seen;
        }

        return problems.Count == 0 ? null : string.Join("; ", problems);
    }
}
