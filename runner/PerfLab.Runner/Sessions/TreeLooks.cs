using System.Security.Cryptography;
using PerfLab.Building.Manifests;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Statistics.Looks;
using PerfLab.Core.Statistics.Stages;

namespace PerfLab.Runner.Sessions;

/// <summary>
/// How often each row was measured against the same base from one working tree: a file of lines in the store, one for a session and row.
/// A session is the look of that of its rows that was looked at most, so a narrower filter does not begin anew.
/// </summary>
internal sealed class TreeLooks
{
    private readonly string _file;
    private readonly List<string> _rows;
    private readonly bool _isShared;

    private TreeLooks(string file, List<string> rows, int number, bool isShared) =>
        (_file, _rows, Number, _isShared) = (file, rows, number, isShared);

    /// <summary>From 1; 0 where nothing is compared.</summary>
    public int Number { get; }

    /// <param name="plan">What is about to be measured.</param>
    /// <param name="config">Whose working tree and store.</param>
    /// <param name="isShared">All looks share one error, in place of one each.</param>
    public static TreeLooks Of(RunPlan plan, LabConfig config, bool isShared)
    {
        var compared = plan.IsAa ? [] : plan.Cells.Where(cell => cell.Arms.Count > 1 && cell.Unavailable is null).ToList();
        var bases = compared.Select(cell => cell.Arms[0].Recipe.Source ?? cell.Arms[0].Recipe.Folder).Distinct(StringComparer.Ordinal);
        var file = Path.Combine(config.Store, "looks", Name([config.Root, .. bases.Order(StringComparer.Ordinal)]));
        var rows = compared.ConvertAll(Row);
        var seen = rows.Count > 0 && File.Exists(file) ? File.ReadLines(file).CountBy(line => line, StringComparer.Ordinal)
            .ToDictionary(StringComparer.Ordinal) : [];
        return new(file, rows, rows.Count == 0 ? 0 : 1 + rows.Max(row => seen.GetValueOrDefault(row)), isShared);
    }

    /// <summary>The plan with the error that this look may make.</summary>
    public RunPlan Charged(RunPlan plan)
    {
        if (!_isShared || Number == 0)
        {
            return plan;
        }

        var charged = plan with { Policy = plan.Policy with { FamilyError = plan.Policy.FamilyError * LookShare.Of(Number) } };
        WrongUseException.ThrowIfAny(PolicyRules.Problems(charged.Policy, plan.Cells.Sum(cell => cell.Arms.Count - 1)));
        return charged with { Hash = PlanFile.Hash(charged) };
    }

    /// <summary>Counts, before the first launch: what is cut off afterwards was a look, too.</summary>
    public void Count()
    {
        if (Number > 0)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(_file)!);
            // Begins with a line feed: a line that was torn by a crash joins no other, and is one look at a row that nobody has.
            using var file = new FileStream(_file, FileMode.Append, FileAccess.Write, FileShare.Read);
            file.Write(Encoding.ASCII.GetBytes($"\n{string.Join('\n', _rows)}\n"));
            file.Flush(flushToDisk: true);
        }
    }

    /// <summary>One line; null where nothing has to be said.</summary>
    public string? Line(Policy asked) => Number == 0 || (Number == 1 && !_isShared) ? null
        : Invariant($"look {Number} of this working tree at these rows against this base: ") + (_isShared
            ? Invariant($"it may spend {100 * asked.FamilyError * LookShare.Of(Number):0.####} % ")
                + Invariant($"of the {100 * asked.FamilyError:0.##} % that all looks share")
            : Invariant($"each may flag something by chance with {100 * asked.FamilyError:0.##} %, ")
                + Invariant($"all together with up to {100 * Math.Min(1, Number * asked.FamilyError):0.##} %"));

    private static string Row(PlannedCell cell) => Name([cell.Workload, cell.Mode,
        .. cell.Dimensions.Concat(cell.Parameters).OrderBy(pair => pair.Key, StringComparer.Ordinal)
            .Select(pair => $"{pair.Key}={pair.Value}")]);

    private static string Name(IEnumerable<string> parts) =>
        Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(string.Join('\0', parts))))[..32];
}
