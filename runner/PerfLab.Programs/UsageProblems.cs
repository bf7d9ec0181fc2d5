using System.CommandLine.Completions;
using System.CommandLine.Parsing;
using System.CommandLine;
using PerfLab.Core.Files;

namespace PerfLab.Programs;

/// <summary>What is wrong with the words of a command line: everything at once, in our words, each with the nearest valid name.</summary>
public static class UsageProblems
{
    /// <param name="parsed">The command line.</param>
    /// <param name="whatNow">Of a command and an option that it does not have: what to type instead; null for what never was one.</param>
    /// <returns>A sentence for each problem; empty when there is none.</returns>
    public static IReadOnlyList<string> Of(ParseResult parsed, Func<string, string, string?> whatNow)
    {
        var command = parsed.CommandResult.Command;
        // The 7 of `trend --seed 7`, which is gone, is no command.
        var isGone = parsed.UnmatchedTokens.Any(word => IsOption(word) && whatNow(command.Name, NameOf(word)) is not null);
        if (!isGone && WrongCommand(parsed) is { } wrong)
        {
            var of = command is RootCommand ? "" : $" of {command.Name}";
            return [$"'{wrong}' is not a command{of}. {NearestNames.Suggest(wrong, command.Subcommands.Select(known => known.Name))}"];
        }

        var options = OptionsTakenForNames(parsed).Concat(parsed.UnmatchedTokens.Where(IsOption)).ToList();
        return
        [
            .. options.Select(word => StrangeOption(word, command, whatNow)),
            // After a mistyped option a word too many is perhaps its value.
            .. options.Count > 0 ? [] : parsed.UnmatchedTokens.Select(word => $"'{word}' is one word too many for {command.Name}."),
            .. parsed.Errors.Where(error => !parsed.UnmatchedTokens.Any(word => IsAbout(word, error))).Select(error => InOurWords(error, command)),
        ];
    }

    /// <summary>A word where only a command can stand; null when there is none. To ask for the help of one that does not exist is wrong use, too.</summary>
    public static string? WrongCommand(ParseResult parsed) => parsed.CommandResult.Command.Subcommands.Count == 0 ? null
        : parsed.UnmatchedTokens.FirstOrDefault(word => !word.StartsWith('-'));

    // A command that takes any number of names takes a mistyped option for one of them.
    private static IEnumerable<string> OptionsTakenForNames(ParseResult parsed) => parsed.CommandResult.Children.OfType<ArgumentResult>()
        .SelectMany(argument => argument.Tokens).Select(token => token.Value).Where(IsOption);

    // "-" alone is standard input; a file of such a name is given as ./-name.
    private static bool IsOption(string word) => word.Length > 1 && word[0] == '-';

    private static bool IsAbout(string word, ParseError error) =>
        error.SymbolResult is CommandResult && error.Message.Contains($"'{word}'");

    private static string StrangeOption(string word, Command command, Func<string, string, string?> whatNow)
    {
        var name = NameOf(word);
        return whatNow(command.Name, name)
            ?? $"'{name}' is not an option of {command.Name}. {NearestNames.Suggest(name, Options(command).Select(option => option.Name))}";
    }

    // Without a value that is written with it: "--osr=off".
    private static string NameOf(string word) => word.Split('=', ':')[0];

    private static IEnumerable<Option> Options(Command command) =>
        command.Options.Concat(command.Parents.OfType<Command>().SelectMany(parent => parent.Options.Where(option => option.Recursive)));

    private static string InOurWords(ParseError error, Command command) => error.SymbolResult switch
    {
        OptionResult { Tokens: [var token] } option when Values(option.Option) is { Count: > 0 } values
            && token.Value.Split(',').FirstOrDefault(one => !values.Contains(one, StringComparer.Ordinal)) is { } word =>
            $"{option.Option.Name}: '{word}' is none of its values. {NearestNames.Suggest(word, values)}",
        OptionResult { Tokens: [var token] } option when NumberName(option.Option.ValueType) is { } number && error.Message.Contains(option.Option.ValueType.Name) =>
            $"{option.Option.Name}: '{token.Value}' is not {number}.",
        ArgumentResult { Tokens: [var token] } argument when Values(argument.Argument) is { Count: > 0 } values =>
            $"{command.Name}: '{token.Value}' is none of its values. {NearestNames.Suggest(token.Value, values)}",
        _ when command.Subcommands.Count > 0 && error.SymbolResult is CommandResult =>
            $"{(command is RootCommand ? "no command was given" : $"{command.Name} needs a command")}. Valid: {string.Join(", ", command.Subcommands.Select(known => known.Name))}.",
        _ => error.Message,
    };

    /// <summary>The words that it may be, when they are few and known: what the shell completes.</summary>
    private static List<string> Values(Symbol symbol) => symbol is Option { ValueType: var type } && (Nullable.GetUnderlyingType(type) ?? type) is { IsEnum: true } words
        ? [.. Enum.GetNames(words).Select(word => word.ToLowerInvariant())]
        : [.. symbol.GetCompletions(CompletionContext.Empty).Select(item => item.Label)];

    private static string? NumberName(Type type) => Type.GetTypeCode(Nullable.GetUnderlyingType(type) ?? type) switch
    {
        TypeCode.Int32 or TypeCode.Int64 => "a whole number",
        TypeCode.Double => "a number",
        _ => null,
    };
}
