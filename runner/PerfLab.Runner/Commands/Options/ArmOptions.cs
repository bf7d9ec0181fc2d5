using System.CommandLine;
using PerfLab.Core.Files;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Trends;

namespace PerfLab.Runner.Commands.Options;

/// <summary>The options that say which arms are compared: two, several of one dimension, the same twice, or an anchor and head.</summary>
internal sealed class ArmOptions
{
    private readonly Option<string?> _base = new("--base")
    {
        Description = "The reference arm: dimension=value,… Dimensions are runtime, framework, source, package, env.NAME, cpus, memory, "
            + "mode, every runtime knob below, and the workload's parameters. A word alone is a source: a branch, tag or commit, or . for the "
            + "working tree.",
        HelpName = "ARM",
    };

    private readonly Option<string?> _head = new("--head")
    {
        Description = "The arm under test, written the same way; beside a source the working tree, when left out. Example: --base main --head .",
        HelpName = "ARM",
    };

    private readonly Option<string?> _vary = new("--vary") { Description = "Arms from one dimension; the first is the reference. Example: --vary pgo=off,on,full", HelpName = "DIM=a,b,c" };
    private readonly Option<string?> _anchor = new("--anchor") { Description = "A pinned old build in place of --base; the session becomes a point of the trend.", HelpName = "ARM" };
    private readonly Option<string?> _nextAnchor = new("--next-anchor") { Description = "With --anchor: the anchor that will replace it, measured too.", HelpName = "ARM" };
    private readonly Option<bool> _aa = new("--aa") { Description = "Measure base against itself, to see how often the lab reports a change where there is none." };
    private readonly Option<bool> _layout = new("--layout") { Description = "With --aa: build the same source twice, with different code layout." };

    public IReadOnlyList<Option> All => [_base, _head, _vary, .. OfRounds];

    /// <summary>Those that say nothing where each arm is launched once.</summary>
    public IReadOnlyList<Option> OfRounds => [_anchor, _nextAnchor, _aa, _layout];

    /// <summary>Those that say nothing of commands.</summary>
    public IEnumerable<Option> NotOfCommands => [_base, _head, _vary, _layout];

    public bool IsAa(ParseResult parsed) => parsed.GetValue(_aa);

    public bool IsLayout(ParseResult parsed) => parsed.GetValue(_layout);

    /// <param name="parsed">The command line.</param>
    /// <param name="seed">Draws the layouts of `--aa --layout`.</param>
    /// <param name="problems">Gets what is wrong.</param>
    public List<ArmRequest> Read(ParseResult parsed, ulong seed, ICollection<Problem> problems)
    {
        var (reference, head, vary, aa) = (parsed.GetValue(_base), parsed.GetValue(_head), parsed.GetValue(_vary), parsed.GetValue(_aa));
        if (vary is not null && (reference is not null || head is not null || aa))
        {
            problems.Add(new("--vary", "goes alone, without --base, --head and --aa."));
        }

        if (parsed.GetValue(_anchor) is { } anchor)
        {
            if (vary is not null || reference is not null || aa)
            {
                problems.Add(new("--anchor", "goes with --head, without --base, --vary and --aa."));
            }

            var next = parsed.GetValue(_nextAnchor) is { } coming
                ? new[] { Arm("--next-anchor", SeriesName.NextAnchorArm, coming, problems) } : [];
            return [Arm("--anchor", SeriesName.AnchorArm, anchor, problems), .. next, Arm("--head", "head", head, problems)];
        }

        if (parsed.GetValue(_nextAnchor) is not null)
        {
            problems.Add(new("--next-anchor", "goes with --anchor; both are measured."));
        }

        if (aa)
        {
            if (head is not null)
            {
                problems.Add(new("--aa", "compares base with itself: leave --head out."));
            }

            var same = Arm("--base", "base", reference, problems);
            return parsed.GetValue(_layout) ? LayoutArms.Of(same, seed) : [same, same with { Id = "head" }];
        }

        if (parsed.GetValue(_layout))
        {
            problems.Add(new("--layout", "goes with --aa.", "Two layouts of your choice: --base layout=1 --head layout=2"));
        }

        if (vary is not null)
        {
            return ReadVary(vary, problems);
        }

        var baseArm = Arm("--base", "base", reference, problems);
        if (reference is not null && head is null && IsSourceAlone(baseArm))
        {
            return [baseArm, ArmText.Parse("--head", "head", SourceWords.Here, problems)]; // what people mean by `--base main`
        }

        if (reference is not null && head is null)
        {
            problems.Add(new("--base", "needs --head, the arm to compare with it."));
        }

        var headArm = Arm("--head", "head", head, problems);
        return reference is null && head is null ? [headArm] : [baseArm, headArm];
    }

    private static bool IsSourceAlone(ArmRequest arm) => arm.Values.Count == 1 && arm.Values.ContainsKey(WorkloadDimensions.Source);

    private static ArmRequest Arm(string option, string id, string? text, ICollection<Problem> problems) =>
        text is null ? Unnamed(id) : ArmText.Parse(option, id, text, problems);

    /// <summary>An arm that takes every default.</summary>
    private static ArmRequest Unnamed(string id) => new(id, new Dictionary<string, string>(StringComparer.Ordinal));

    private static List<ArmRequest> ReadVary(string vary, ICollection<Problem> problems)
    {
        if (ArmText.ParseList("--vary", vary, problems) is not { } list)
        {
            return [Unnamed("head")]; // what else is wrong is looked for with an arm like any other
        }

        if (list.Values.Count < 2)
        {
            problems.Add(new("--vary", "needs at least two values."));
        }

        return [.. list.Values.Select(value => new ArmRequest(value, new Dictionary<string, string>(StringComparer.Ordinal) { [list.Dimension] = value }))];
    }
}
