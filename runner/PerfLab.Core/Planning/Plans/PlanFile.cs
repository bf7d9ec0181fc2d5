using System.Security.Cryptography;
using PerfLab.Core.Files;

namespace PerfLab.Core.Planning.Plans;

/// <summary>plan.json: a plan, proven by its hash.</summary>
/// <param name="Plan">
/// Every cell, arm, build recipe and round that may be launched. The session leaves out confirm rounds of what the screen did not keep.
/// </param>
public sealed record PlanFile(RunPlan Plan)
{
    /// <summary>The file; a plan of 100,000 cells is a gigabyte.</summary>
    public static FileFormat<PlanFile> File { get; } =
        new("perf-lab/plan/1", "plan.json: everything that may be launched, made before anything runs") { MostBytes = Array.MaxLength };

    /// <summary>"sha256:…" over the plan without its hash.</summary>
    public static string Hash(RunPlan plan)
    {
        using var sha = SHA256.Create();
        using (var hashed = new CryptoStream(Stream.Null, sha, CryptoStreamMode.Write))
        {
            File.WritePart(plan with { Hash = "" }, hashed);
        }

        return "sha256:" + Convert.ToHexStringLower(sha.Hash!);
    }
}
