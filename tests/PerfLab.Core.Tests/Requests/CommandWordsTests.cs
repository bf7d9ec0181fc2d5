using PerfLab.Core.Files;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Core.Tests.Requests;

public class CommandWordsTests
{
    private readonly List<Problem> _problems = [];

    [Theory]
    [InlineData("sleep 0.05", "sleep|0.05")]
    [InlineData("  a\tb\n c  ", "a|b|c")]
    [InlineData("a 'b c' \"d e\"", "a|b c|d e")]
    [InlineData("a b'c'\"d\"e", "a|bcde")]
    [InlineData("a ''", "a|")]
    [InlineData(@"a b\ c \\ \'", @"a|b c|\|'")]
    [InlineData(@"a 'b\c' ""\$ \"" \\ \n""", @"a|b\c|$ "" \ \n")]
    [InlineData("a $HOME * ~ b|c", "a|$HOME|*|~|b|c")] // the bar in b|c is part of the word
    [InlineData("a '|' \\> \">>\"", "a|||>|>>")]
    public void words_are_split_without_a_shell(string text, string words)
    {
        string.Join('|', CommandWords.Split("--command", text, _problems).ShouldNotBeNull()).ShouldBe(words);
        _problems.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("", "names no program.")]
    [InlineData(" \t", "names no program.")]
    [InlineData("'' a", "names no program.")]
    [InlineData("a 'b", "a quote (') is not closed: a 'b")]
    [InlineData("a \"b", "a quote (\") is not closed: a \"b")]
    [InlineData("a \"b\\\"", "a quote (\") is not closed: a \"b\\\"")]
    [InlineData("a \\", "ends with a backslash: a \\")]
    [InlineData("a | b", "'|' is for a shell, and none is started.")]
    [InlineData("a >", "'>' is for a shell, and none is started.")]
    [InlineData("a && b", "'&&' is for a shell, and none is started.")]
    [InlineData("a; b ;", "';' is for a shell, and none is started.")]
    public void what_is_no_command_line_is_a_problem(string text, string what)
    {
        CommandWords.Split("--command", text, _problems).ShouldBeNull();
        _problems.ShouldHaveSingleItem().What.ShouldBe(what);
    }
}
