using System.CommandLine;
using PerfLab.Runner.Flow;

namespace PerfLab.Runner.Commands.Options;

/// <summary>Options of every command that ends in a report.</summary>
internal sealed class OutputOptions
{
    private readonly Option<string?> _out = new("--out") { Description = "Folder for the session's files; default: .perf-lab/sessions/<id>.", HelpName = "DIR" };
    private readonly Option<bool> _json = new("--json") { Description = "Print comparison.json on stdout instead of the table." };
    private readonly Option<string[]> _failOn = new("--fail-on")
    {
        Description = "regression: exit 3 when something regressed. allocations: exit 3 when a row allocates more bytes. "
            + "budget: exit 3 when a row overspends the budget since the anchor. "
            + "no-answer: exit 4 when a row is undecided, not-steady, too-noisy, does-not-hold or unavailable. May be repeated.",
        HelpName = "regression,allocations,budget,no-answer",
        CompletionSources = { "regression", "allocations", "budget", "no-answer" },
    };

    private readonly Option<bool> _plain = Plain();
    private readonly Option<bool> _details = Details();

    public static Option<bool> Plain() => new("--plain") { Description = "No colours, and ASCII only, also on a terminal." };

    public static Option<bool> Details() => new("--details")
    {
        Description = "Print all of the report: doubts about single rows, other metrics, rounds, every check of the machine, plan and "
            + "policy. report.md has it anyway.",
    };

    public OutputOptions() => _failOn.Validators.Add(result =>
    {
        foreach (var word in result.Tokens.SelectMany(token => token.Value.Split(',')).Where(word => Flag(word) == FailOn.None))
        {
            result.AddError($"--fail-on: '{word}' is none of its values. Valid: regression, allocations, budget, no-answer.");
        }
    });

    public void AddTo(Command command, bool withFolder = true)
    {
        if (withFolder)
        {
            command.Add(_out);
        }

        command.Add(_json);
        command.Add(_failOn);
        command.Add(_plain);
        command.Add(_details);
    }

    public OutputSettings Read(ParseResult parsed, bool withFolder = true) =>
        new(withFolder ? parsed.GetValue(_out) : null, parsed.GetValue(_json), (parsed.GetValue(_failOn) ?? []).SelectMany(text => text.Split(','))
            .Aggregate(FailOn.None, (all, word) => all | Flag(word)), parsed.GetValue(_plain), parsed.GetValue(_details));

    private static FailOn Flag(string word) => word switch
    {
        "regression" => FailOn.Regression,
        "allocations" => FailOn.Allocations,
        "budget" => FailOn.Budget,
        "no-answer" => FailOn.NoAnswer,
        _ => FailOn.None,
    };
}
