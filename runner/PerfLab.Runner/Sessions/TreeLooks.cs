using System.Security.Cryptography;
using PerfLab.Building.Manifests;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Runner.Sessions;

/// <summary>
/// How often one working tree was measured against the same base: a file for each base in the store, a line for each session. Whatever
/// rows a session has, it is the next look: who looks at thirty rows one by one has thirty chances to be told something by chance.
/// </summary>
internal sealed class TreeLooks
{
    private readonly List<string> _files;
    private readonly string _plan;
    private readonly bool _isShared;

    private TreeLooks(List<string> files, string plan, int number, bool isShared) =>
        (_files, _plan, Number, _isShared) = (files, plan, number, isShared);

    /// <summary>From 1; 0 where nothing is compared.</summary>
    public int Number { get; }

    /// <param name="plan">What is about to be measured.</param>
    /// <param name="config">Whose working tree and store.</param>
    /// <param name="isShared">All looks share one error, in place of one each.</param>
    public static TreeLooks Of(RunPlan plan, LabConfig config, bool isShared)
    {
        // A plan with several bases is a look at each of them, so no wider or narrower choice of rows begins anew.
        var files = Compared(plan).Select(Base).Distinct(StringComparer.Ordinal)
            .Select(source => Path.Combine(config.Store, "looks", Name(config.Root, source))).ToList();
        return new(files, plan.Hash, files.Count == 0 ? 0 : 1 + files.Max(Seen), isShared);
    }

    /// <summary>The plan with the error that this look may make.</summary>
    /// <exception cref="WrongUseException">So small an error takes more rounds than the plan has.</exception>
    public RunPlan Charged(RunPlan plan)
    {
        if (!_isShared || Number == 0)
        {
            return plan;
        }

        var charged = plan with { Policy = plan.Policy with { FamilyError = plan.Policy.FamilyError * LookShare.Of(Number) } };
        WrongUseException.ThrowIfAny([.. PolicyRules.Problems(charged.Policy, Compared(plan).Sum(cell => cell.Arms.Count - 1))
            .Select(problem => problem with
            {
                What = Invariant($"{problem.What.TrimEnd('.')}. This is look {Number} of this working tree against this base, ")
                    + Invariant($"and the looks before it have spent the rest of the {100 * plan.Policy.FamilyError:0.##} % that all share."),
                Try = $"{problem.Try?.TrimEnd('.')}, or compare with a newer base: there the count begins anew.",
            })]);
        return charged with { Hash = PlanFile.Hash(charged) };
    }

    /// <summary>Counts, before the first launch: what is cut off afterwards was a look, too.</summary>
    public void Count()
    {
        foreach (var file in _files)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(file)!);
            // Begins with a line feed: a line that was torn by a crash joins no other, and is a look of its own.
            using var stream = new FileStream(file, FileMode.Append, FileAccess.Write, FileShare.Read);
            stream.Write(Encoding.ASCII.GetBytes($"\n{_plan}\n"));
            stream.Flush(flushToDisk: true);
        }
    }

    /// <summary>One line; null where nothing has to be said.</summary>
    public string? Line(Policy asked) => Number == 0 || (Number == 1 && !_isShared) ? null
        : Invariant($"look {Number} of this working tree against this base: ") + (_isShared
            ? Invariant($"it may spend {100 * asked.FamilyError * LookShare.Of(Number):0.####} % ")
                + Invariant($"of the {100 * asked.FamilyError:0.##} % that all looks share")
            : Invariant($"each may flag something by chance with {100 * asked.FamilyError:0.##} %, ")
                + Invariant($"all together with up to {100 * Math.Min(1, Number * asked.FamilyError):0.##} %"));

    /// <summary>The reference's commit or path; empty where all arms are the working tree as it is.</summary>
    private static string Base(PlannedCell cell) => cell.Arms[0].Dimensions.GetValueOrDefault(WorkloadDimensions.Source)
        ?? cell.Dimensions.GetValueOrDefault(WorkloadDimensions.Source, "");

    private static List<PlannedCell> Compared(RunPlan plan) =>
        plan.IsAa || PolicyRules.ShowDirectionOnly(plan.Policy) ? [] : [.. plan.Cells.Where(cell => cell.Arms.Count > 1 && cell.Unavailable is null)];

    private static int Seen(string file) => File.Exists(file) ? File.ReadLines(file).Count(line => line.Length > 0) : 0;

    private static string Name(params IEnumerable<string> parts) =>
        Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(string.Join('\0', parts))))[..32];
}
