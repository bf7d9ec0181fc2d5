using System.CommandLine;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning;
using PerfLab.Core.Planning.Plans;
using PerfLab.Core.Planning.Requests;
using PerfLab.Core.Statistics.Stages;
using PerfLab.Launching.Processes;
using PerfLab.Runner.Flow;

namespace PerfLab.Runner.Commands.Options;

/// <summary>`run --command '…' --against '…'`: any two commands, without a manifest.</summary>
internal sealed class CommandOptions
{
    /// <summary>Longer ones would not fit a row, and no shell history.</summary>
    private const int MostCharacters = 4000;

    private readonly Option<string?> _command = new("--command")
    {
        Description = "The head: a command line to time. No shell is started; its output is discarded.",
        HelpName = "'PROGRAM ARG…'",
    };

    private readonly Option<string?> _against = new("--against")
    {
        Description = "The base: the command line to compare with. Without it there are values and noise, and no verdict.",
        HelpName = "'PROGRAM ARG…'",
    };

    private readonly Option<double> _timeout = new("--timeout")
    {
        Description = "Seconds after which a launch of --command is stopped and has failed.",
        HelpName = "SECONDS",
        DefaultValueFactory = _ => 600,
    };

    public void AddTo(Command command)
    {
        command.Add(_command);
        command.Add(_against);
        command.Add(_timeout);
    }

    public bool IsGiven(ParseResult parsed) =>
        parsed.GetValue(_command) is not null || parsed.GetValue(_against) is not null || parsed.GetResult(_timeout) is { Implicit: false };

    /// <summary>The plan; throws <see cref="WrongUseException"/> with all problems at once.</summary>
    public RunPlan Plan(ParseResult parsed, RequestOptions request, Lab lab)
    {
        var problems = new List<Problem>();
        var isAa = request.IsAa(parsed);
        foreach (var stranger in request.NotOfCommands(parsed))
        {
            problems.Add(stranger == "--" + Cell.Age
                ? new(stranger, "a command is always timed from its start to its end.", "Leave it out.")
                : new("--command", $"is compared with --against, and takes no {stranger}.", "Leave one of them out."));
        }

        if (isAa && parsed.GetValue(_against) is not null)
        {
            problems.Add(new("--aa", "compares --command with itself: leave --against out."));
        }

        if (parsed.GetValue(_timeout) is not (> 0 and <= 86400) and var seconds)
        {
            problems.Add(new("--timeout", Invariant($"{seconds} is out of range."), "Between 0 and 86400 seconds."));
        }

        (string Arm, Option<string?> Option)[] arms = isAa ? [("base", _command), ("head", _command)]
            : parsed.GetValue(_against) is null ? [("head", _command)]
            : [("base", _against), ("head", _command)];
        var commands = arms.Select(arm => Read(arm.Arm, arm.Option, parsed.GetValue(arm.Option), lab, problems)).OfType<PlannedCommand>()
            .ToList();
        var (rounds, seed) = (request.Rounds(parsed, problems), request.Seed(parsed, problems));
        var policy = request.Policy(parsed, lab.Config.Policy, arms.Length, problems);
        var turns = PairingOption.OfCommands(parsed.GetValue<string?>(PairingOption.Name), problems);
        WrongUseException.ThrowIfAny([.. problems.Distinct()]);
        var asked = new CommandRequest(commands, lab.Terminal.WorkingFolder, isAa, parsed.GetValue(_timeout),
            Environment.ProcessorCount, rounds, seed, policy)
        {
            Turns = turns,
        };
        WrongUseException.ThrowIfAny([.. CommandPlanner.Problems(asked)]);
        var plan = CommandPlanner.Plan(asked);
        WrongUseException.ThrowIfAny(PolicyRules.Problems(plan.Policy, commands.Count - 1, request.WantsDirection(parsed)));
        return plan;
    }

    private static PlannedCommand? Read(string arm, Option<string?> option, string? text, Lab lab, List<Problem> problems)
    {
        if (text is null)
        {
            problems.Add(new(option.Name, "is not given.", "Example: --command './new input.txt' --against './old input.txt'"));
            return null;
        }

        if (text.Length > MostCharacters)
        {
            problems.Add(new(option.Name, Invariant($"has {text.Length} characters, at most {MostCharacters} are taken."),
                "Put it into a script that begins with #!/bin/sh."));
            return null;
        }

        return CommandWords.Split(option.Name, text, problems) is { } words
            && CommandProgram.Find(option.Name, words[0], lab.Terminal.WorkingFolder, Environment.GetEnvironmentVariable("PATH"),
                problems) is { } program
            ? new(arm, text, words, program) : null;
    }
}
