using PerfLab.Core.Files;
using PerfLab.Core.Planning.Requests;
using static PerfLab.Core.Tests.Planning.Workloads;

namespace PerfLab.Core.Tests.Requests;

public sealed class BenchmarkFilterTests
{
    private static readonly string[] Names = ["My.Parsing.Numbers(count: 10)", "My.Parsing.Numbers(count: 100)", "My.Parsing.Dates", "My.Writing.Numbers(text: \"a*\")"];

    [Theory]
    [InlineData("*", 4)]
    [InlineData("*Parsing*", 3)]
    [InlineData("*parsing.numbers*", 2)]
    [InlineData("My.Parsing.Numbers", 2)] // without its parameters, as BenchmarkDotNet has it
    [InlineData("*.Numbers", 3)]
    [InlineData("*count: 10)", 1)]
    [InlineData("My.Parsing.Date?", 1)]
    [InlineData("My.Writing.Numbers(text: \"a*\")", 1)]
    public void a_glob_is_matched_against_the_whole_name(string glob, int count)
    {
        var problems = new List<Problem>();
        Left(problems, glob).Count.ShouldBe(count);
        problems.ShouldBeEmpty();
    }

    [Fact]
    public void globs_add_up_and_none_is_all()
    {
        Left([], "*Dates", "*Writing*").ShouldBe([Names[2], Names[3]]);
        Left([]).ShouldBe(Names);
    }

    [Theory]
    [InlineData("*Dats*", "no benchmark matches '*Dats*'. Did you mean Dates?")]
    [InlineData("My.Parsing.Numbrs", "Did you mean My.Parsing.Numbers")]
    [InlineData("*xyz*", "Valid: ")]
    [InlineData("Numbers", "Did you mean Numbers?")] // a method's name is no glob for it; its nearest is said all the same
    public void what_matches_nothing_is_told_with_the_nearest(string glob, string expected)
    {
        var problems = new List<Problem>();
        Left(problems, "*Dates", glob);
        problems.ShouldHaveSingleItem().ToString().ShouldContain(expected);
    }

    [Fact]
    public void workloads_of_other_kinds_stay_and_alone_they_have_no_benchmarks()
    {
        var problems = new List<Problem>();
        new BenchmarkFilter(["*Dates"]).Of([Spin, Benchmarks(Names)], problems).Select(workload => workload.Name).ShouldBe(["calibrated-spin", "My.Benchmarks"]);
        problems.ShouldBeEmpty();
        new BenchmarkFilter(["*"]).Of([Spin], problems);
        problems.ShouldHaveSingleItem().ToString().ShouldContain("none was named");
    }

    private static IReadOnlyList<string> Left(List<Problem> problems, params string[] globs) =>
        new BenchmarkFilter(globs).Of([Benchmarks(Names)], problems).Single().Parameters.Single().Values;
}
