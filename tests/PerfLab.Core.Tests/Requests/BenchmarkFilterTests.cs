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
    [InlineData("Numbers", "no benchmark matches 'Numbers'. A glob is over the whole name: write '*Numbers*'.")]
    [InlineData("writing.numbers*", "write '*writing.numbers*'.")]
    [InlineData("*Par", "write '*Par*'.")]
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

    [Theory]
    [InlineData("text", "", "Numbers(count: 10),Numbers(count: 100),Dates")]
    [InlineData("TEXT,io", "", "Numbers(count: 10),Numbers(count: 100),Dates,Numbers(text")] // in any case of letters, one is enough
    [InlineData("", "text,slow", "Numbers(count: 100)")] // all of them
    [InlineData("io,text", "slow", "Numbers(count: 100)")]
    public void categories_are_those_of_benchmarkdotnet(string any, string all, string left)
    {
        var problems = new List<Problem>();
        InCategories(problems, any, all).ShouldBe(Names.Where(name => left.Split(',').Any(part => name.Contains(part, StringComparison.Ordinal))));
        problems.ShouldBeEmpty();
        InCategories(problems, any, all, "*100)").ShouldBe([Names[1]]); // and the glob
    }

    [Theory]
    [InlineData("txt", "", "--any-categories: no benchmark is in the category 'txt'. Did you mean text?")]
    [InlineData("", "fast", "--all-categories: no benchmark is in the category 'fast'. Valid: io, slow, text.")]
    [InlineData("", "io,slow", "--all-categories: each of them holds for some benchmark, and all of them for none.")]
    public void a_category_of_none_is_told_with_the_nearest(string any, string all, string expected)
    {
        var problems = new List<Problem>();
        InCategories(problems, any, all);
        problems.ShouldHaveSingleItem().ToString().ShouldContain(expected);
    }

    [Fact]
    public void a_manifest_knows_no_categories_and_other_workloads_have_none()
    {
        var problems = new List<Problem>();
        new BenchmarkFilter([], new(["text"], [])).Of([Benchmarks(Names)], problems);
        problems.ShouldHaveSingleItem().ToString().ShouldContain("the manifest of My.Benchmarks lists benchmarks, and says nothing of their categories. Name the project file");
        problems.Clear();
        new BenchmarkFilter([], new([], ["text"])).Of([Spin], problems);
        problems.ShouldHaveSingleItem().ToString().ShouldContain("--all-categories: is for benchmarks of BenchmarkDotNet");
    }

    private static IReadOnlyList<string> InCategories(List<Problem> problems, string any, string all, params string[] globs)
    {
        var workload = Benchmarks(Names);
        var categories = new Dictionary<string, IReadOnlyList<string>>
        {
            [Names[0]] = ["text"],
            [Names[1]] = ["Text", "slow"],
            [Names[2]] = ["text"],
            [Names[3]] = ["io"],
        };
        var asked = BenchmarkCategories.Of(Split(any), Split(all));
        var left = new BenchmarkFilter(globs, asked).Of([workload with { Parameters = [workload.Parameters[0] with { Categories = categories }] }], problems);
        return left.Count == 0 ? [] : left[0].Parameters[0].Values;

        static string[] Split(string words) => words.Split(',', StringSplitOptions.RemoveEmptyEntries);
    }

    private static IReadOnlyList<string> Left(List<Problem> problems, params string[] globs) =>
        new BenchmarkFilter(globs).Of([Benchmarks(Names)], problems).Single().Parameters.Single().Values;
}
