using System.CommandLine;
using System.Security.Cryptography;
using PerfLab.Building;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Programs;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Commands.Options;

/// <summary>`--pack base=FILE --pack head=FILE --bases FILE`: builds and what stands under them, made on other machines.</summary>
internal static class PackOption
{
    public static Option<string[]> Create() => new("--pack")
    {
        Description = "An arm's builds from `build --pack`, one for every arm of the plan.",
        HelpName = "ARM=FILE",
    };

    public static Option<string?> Bases(string description) => new("--bases") { Description = description, HelpName = "FILE" };

    public static string? Path(string? named, Terminal terminal) =>
        named is null ? null : System.IO.Path.GetFullPath(System.IO.Path.Combine(terminal.WorkingFolder, named));

    /// <summary>The builds of all packs; null when there is none.</summary>
    public static ArmBuilds? Read(IReadOnlyList<string> texts, RunPlan plan, Lab lab)
    {
        if (texts.Count == 0)
        {
            return null;
        }

        var arms = plan.Cells.SelectMany(cell => cell.Arms).Select(arm => arm.Id).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal).ToList();
        var pairs = texts.Select(text => text.Split('=', 2)).ToList();
        if (pairs.Exists(pair => pair.Length != 2) || !arms.SequenceEqual(pairs.Select(pair => pair[0]).Order(StringComparer.Ordinal), StringComparer.Ordinal))
        {
            throw new WrongUseException([new Problem("--pack", "names each arm of the plan once.", $"Arms: {string.Join(", ", arms)}. Example: --pack {arms[0]}={arms[0]}.tar")]);
        }

        var results = new Dictionary<(string Cell, string Arm), BuildResult>();
        foreach (var pair in pairs)
        {
            var file = System.IO.Path.Combine(lab.Terminal.WorkingFolder, pair[1]);
            var folder = System.IO.Path.Combine(lab.Config.Store, "packs", Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(8)));
            foreach (var (key, value) in BuildPack.Read(file, pair[0], folder, plan))
            {
                results.Add(key, value);
            }
        }

        return new(results);
    }
}
