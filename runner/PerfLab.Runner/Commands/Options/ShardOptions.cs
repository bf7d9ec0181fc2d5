using System.CommandLine;
using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Runner.Commands.Options;

/// <summary>`plan --shards 4` or `--shards 30m`, and the shard that `measure --shard K` names.</summary>
internal sealed class ShardOptions
{
    private const string Name = "--shards";

    private readonly Option<string?> _shards = new(Name)
    {
        Description = "Spread the cells over so many machines, or over as few as measure all of them in that time (30m); "
            + "base and head of a cell are always on the same.",
        HelpName = "N|TIME",
    };

    /// <summary>They go with a request of a pull request too.</summary>
    public static IReadOnlyList<string> Names { get; } = [Name];

    public void AddTo(Command command) => command.Add(_shards);

    public RunPlan Split(ParseResult parsed, RunPlan plan)
    {
        if (parsed.GetValue(_shards) is not { } asked)
        {
            return plan;
        }

        if (plan.Policy.Within > 0)
        {
            throw Wrong(Name, "can't spread a plan that is measured until it is decided: "
                + "the minutes are those of one machine. Make it with --rounds.");
        }

        var cells = Shards.Most(plan);
        if (int.TryParse(asked, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var count))
        {
            return count >= 1 && count <= cells ? Shards.Split(plan, count)
                : throw Wrong(Name, Invariant($"{count} is not between 1 and {cells}, the number of cells: a cell is never split."));
        }

        if (DurationOption.Parse(asked) is not { } time)
        {
            throw Wrong(Name, $"'{asked}' is neither a number of machines nor {Duration.Form}.");
        }

        if (Shards.Within(plan, time.TotalSeconds) is { } enough)
        {
            return Shards.Split(plan, enough);
        }

        var longest = RoughTime.Of(Shards.Together(Shards.Split(plan, cells)).MostSeconds);
        throw Wrong(Name, $"the longest cell alone takes about {longest}, and a cell is never split.");
    }

    /// <summary>A plan that is there already takes how it is spread, and nothing else.</summary>
    public static void RefuseOthers(ParseResult parsed, string again)
    {
        var given = parsed.CommandResult.Children.OfType<System.CommandLine.Parsing.OptionResult>().Where(result => !result.Implicit)
            .Select(result => result.Option.Name).ToList();
        var stranger = given.Find(name => name != again && !Names.Contains(name, StringComparer.Ordinal))
            ?? (parsed.CommandResult.Children.OfType<System.CommandLine.Parsing.ArgumentResult>().Any(result => result.Tokens.Count > 0) ? "target" : null);
        if (stranger is not null)
        {
            throw Wrong(stranger, $"does not go with {again}: the plan says what to measure.");
        }

        if (!given.Exists(name => Names.Contains(name, StringComparer.Ordinal)))
        {
            throw Wrong(again, $"needs {Name}: how else is the plan to be spread?");
        }
    }

    /// <summary>What is to be measured of the plan: the shard, or all of it.</summary>
    public static RunPlan Of(RunPlan plan, int? shard) => shard switch
    {
        null => plan,
        _ when plan.Shards is null => throw Wrong("--shard", $"the plan has no shards: make it with `plan {Name} N`."),
        { } number when number < 1 || number > plan.Shards.Count =>
            throw Wrong("--shard", Invariant($"{number} is not between 1 and {plan.Shards.Count}, the number of the plan's shards.")),
        { } number => Shards.Only(plan, number),
    };

    /// <summary>Refuses what `measure --nodes N` can't be.</summary>
    public static void CheckNodes(RunPlan plan, int nodes, int? shard, string executor)
    {
        var why = shard is not null ? "goes without --shard: it measures all of them."
            : executor != "kubernetes" ? "needs --executor kubernetes: elsewhere, measure one shard after another (--shard K), or on several machines."
            : plan.Shards is null ? $"the plan has no shards: make it with `plan {Name} N`, at least as many as nodes."
            : nodes < 2 || nodes > plan.Shards.Count
                ? Invariant($"{nodes} is not between 2 and {plan.Shards.Count}, the number of the plan's shards.")
            : null;
        if (why is not null)
        {
            throw Wrong("--nodes", why);
        }
    }

    private static WrongUseException Wrong(string option, string what) => new([new Problem(option, what)]);
}
