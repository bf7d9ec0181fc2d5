using PerfLab.Core.Model;
using PerfLab.Core.Planning;

namespace PerfLab.Reports;

/// <summary>The command that measures one row again.</summary>
public static class ReproduceLine
{
    /// <summary>What a person saves a snippet as, to measure it again.</summary>
    private const string SavedAs = "snippet.cs";

    private static readonly Policy Usual = new();

    /// <summary>
    /// "./perf-lab run json-round-trip --base framework=… --head framework=… --set runtime=… --rounds 8+20 --seed 7 --feed …" ("run ./mine" where only
    /// the folder finds the workload), or null when a value can't be said on the command line (a comma separates there, and nothing hostile shall
    /// be offered for pasting).
    /// </summary>
    /// <param name="arm">The row's arm; ignored in a session of one arm.</param>
    public static string? For(Cell cell, string arm, Policy policy, PlanFacts plan)
    {
        if (cell.Arms.Count == 0)
        {
            return null;
        }

        if (cell.Workload == CommandPlanner.Name && cell.Reference.Dimensions.ContainsKey(CommandPlanner.Name))
        {
            return ForCommands(cell, policy, plan);
        }

        var words = new List<string>();
        if (cell.Arms.Count > 1)
        {
            var head = cell.Arms.FirstOrDefault(candidate => candidate.Id == arm);
            if (head is null || head.Dimensions.Count == 0 || cell.Reference.Dimensions.Count == 0)
            {
                return null;
            }

            var (from, to) = (List(cell.Reference.Dimensions), List(head.Dimensions));
            words.AddRange(from == to ? ["--aa", "--base", from] : ["--base", from, "--head", to]);
        }

        // Knobs that a plan settles so by itself are not repeated.
        var following = FollowingKnobs.Of([.. cell.Arms.Select(cell.ValuesOf)]);
        var described = cell.Arms.Count == 1 ? cell.Dimensions.Concat(cell.Reference.Dimensions) : cell.Dimensions;
        var shared = InOrder(described).Where(pair => !following.Contains(pair.Key)).Concat(InOrder(cell.Parameters));
        var benchmark = cell.Parameters.GetValueOrDefault(BenchmarkCases.Parameter);
        var filter = "";
        foreach (var (name, value) in shared)
        {
            // A benchmark's name may hold commas and blanks; as a glob it means itself.
            if (value == benchmark && name == BenchmarkCases.Parameter)
            {
                filter = $" --filter {ShellWord.Of(value)}";
                if (UntrustedText.Line(value, UntrustedText.MaxChars) != value)
                {
                    return null;
                }
            }
            else
            {
                words.AddRange(["--set", $"{name}={value}"]);
            }
        }

        if (plan.SameIl)
        {
            words.Add("--same-il");
        }

        if (benchmark is not null && cell.Arms.Count > 1 && cell.Arms.All(one => one.Dimensions.Keys.All(name => name == "source")))
        {
            // Who measures a row again wants it measured.
            words.AddRange(["--only", "all"]);
        }

        words.AddRange(plan.BenchmarksOfHead ? ["--benchmarks", "head"] : Array.Empty<string>());
        words.AddRange(plan.IsSnippet ? ["--benchmarks", SavedAs] : Array.Empty<string>());
        words.AddRange(plan.CurrentSdk ? ["--sdk", "current"] : Array.Empty<string>());

        words.AddRange([.. Rounds(policy, plan), .. WarmUp(plan), .. Pairing(cell)]);
        words.AddRange([.. Seed(plan), .. Executor(plan), .. MachinePolicy(plan)]);
        var values = cell.Dimensions.Concat(cell.Parameters.Where(pair => pair.Key != BenchmarkCases.Parameter))
            .Concat(cell.Arms.SelectMany(one => one.Dimensions));
        var target = plan.Folder is { } folder ? ShellWord.Of(folder) : cell.Workload;
        return words.Append(cell.Workload).All(ShellWord.IsPlain) && !values.Any(pair => pair.Value.Contains(','))
            ? $"{plan.Program} run {target}{filter} "
                + string.Join(' ', words.Concat(plan.Feeds.Select(feed => $"--feed {ShellWord.Of(feed)}")))
            : null;
    }

    private static string? ForCommands(Cell cell, Policy policy, PlanFacts plan)
    {
        var texts = cell.Arms.Select(arm => arm.Dimensions[CommandPlanner.Name]).Reverse().ToList();
        if (texts.Exists(text => text != UntrustedText.Line(text, UntrustedText.MaxChars)))
        {
            return null;
        }

        var words = new List<string> { plan.Program, "run", "--command", ShellWord.Quoted(texts[0]) };
        words.AddRange(texts is not [_, var against] ? [] : against == texts[0] ? ["--aa"] : ["--against", ShellWord.Quoted(against)]);
        // A command runs where the reader stands: it has no executor to choose.
        words.AddRange([.. Rounds(policy, plan), .. Turns(cell), .. Seed(plan), .. MachinePolicy(plan)]);
        return string.Join(' ', words);
    }

    private static IEnumerable<string> Rounds(Policy policy, PlanFacts plan) =>
    [
        .. policy.Within > 0 ? ["--within", Invariant($"{policy.Within:0.####}m")]
            : plan.IsElsewhere && (policy.ScreenRounds, policy.ConfirmRounds) == (Usual.ScreenRounds, Usual.ConfirmRounds)
            ? Array.Empty<string>() : ["--rounds", Invariant($"{policy.ScreenRounds}+{policy.ConfirmRounds}")],
        .. policy.Repeats > 0 ? ["--sessions", Invariant($"{policy.Repeats + 1}")] : Array.Empty<string>(),
    ];

    private static IEnumerable<string> WarmUp(PlanFacts plan) =>
        plan.WarmUpSeconds is { } seconds ? ["--warm-up", seconds.ToString(CultureInfo.InvariantCulture)] : [];

    // The default may be another one tomorrow.
    private static IEnumerable<string> Turns(Cell cell) => cell.Turns is { } turns ? ["--pairing", $"turns:{turns}"] : [];

    // What could not take turns can't on the reader's machine either.
    private static IEnumerable<string> Pairing(Cell cell) =>
        cell.Turns is null && cell.NoTurns is null && cell.Arms.Count > 1 ? ["--pairing", "launches"] : Turns(cell);

    private static IEnumerable<string> Seed(PlanFacts plan) =>
        plan.Seed is { } number ? ["--seed", number.ToString(CultureInfo.InvariantCulture)] : [];

    // Without it the line would take what the reader's machine happens to have, and containers are not processes.
    private static IEnumerable<string> Executor(PlanFacts plan) =>
        plan.Executor is "docker" or "process" or "kubernetes" ? ["--executor", plan.Executor] : [];

    // "any" is what a machine of nobody's own takes by itself, and "hosted" would call the reader's one of GitHub's.
    private static IEnumerable<string> MachinePolicy(PlanFacts plan) =>
        plan.MachinePolicy is "azure" or "metal" ? ["--policy", plan.MachinePolicy] : [];

    private static string List(IReadOnlyDictionary<string, string> dimensions) =>
        string.Join(',', InOrder(dimensions).Select(pair => $"{pair.Key}={pair.Value}"));

    private static IEnumerable<KeyValuePair<string, string>> InOrder(IEnumerable<KeyValuePair<string, string>> pairs) =>
        pairs.OrderBy(pair => pair.Key, StringComparer.Ordinal);
}
