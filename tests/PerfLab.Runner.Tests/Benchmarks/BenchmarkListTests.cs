using PerfLab.Launching;
using PerfLab.Launching.Results;

namespace PerfLab.Runner.Tests.Benchmarks;

/// <summary>The list of benchmarks comes from the project's own process.</summary>
public sealed class BenchmarkListTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("perf-lab-list-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void names_come_once_in_their_order_and_strange_ones_are_left_out()
    {
        var (list, why) = Read($$"""
            {"benchmarks":[{"name":"A.B.C","categories":["x","\u0007"]},{"name":"A.B.D(text: \"\n\")","categories":[]},{"name":"A.B.C","categories":[]},
            {"name":"{{new string('n', 1001)}}","categories":[]},{"name":"","categories":[]},{"name":"A.B.E","categories":[]}],"problems":["A.F: \u001b[31m"]}
            """);
        why.ShouldBeNull();
        list!.Benchmarks.Select(benchmark => benchmark.Name).ShouldBe(["A.B.C", "A.B.E"]);
        list.Benchmarks[0].Categories.ShouldBe(["x"]);
        list.Problems[0].ShouldBe("A.F: \\u001b[31m");
        list.Problems[1].ShouldStartWith("3 have a name that");
    }

    [Fact]
    public void of_very_many_the_first_are_taken()
    {
        var (list, _) = Read($$"""{"benchmarks":[{{string.Join(',', Enumerable.Range(0, 10_100).Select(number => $$"""{"name":"A.B.M{{number}}","categories":[]}"""))}}],"problems":[]}""");
        list!.Benchmarks.Count.ShouldBe(10_000);
        list.Problems.ShouldHaveSingleItem().ShouldBe("only the first 10000 of 10100");
    }

    [Theory]
    [InlineData("", "line 1, byte 1: is not strict JSON")]
    [InlineData("[]", "must be an object")]
    [InlineData("""{"benchmarks":[{"name":7}],"problems":[]}""", "benchmarks[0].name: must be text")]
    public void another_file_is_refused(string text, string expected)
    {
        var (list, why) = Read(text);
        list.ShouldBeNull();
        why.ShouldNotBeNull().ShouldContain(expected);
    }

    [Fact]
    public void a_launch_that_failed_is_told_by_the_first_line_that_it_printed()
    {
        var (list, why) = BenchmarkList.Read(new() { How = EndKind.Exited, ExitCode = 134, WallSeconds = 1, ResultFile = "/nowhere/result.json", Tail = "\nUnhandled exception. No table.\n  at Main" });
        list.ShouldBeNull();
        why.ShouldBe("the program that lists them ended with exit code 134: Unhandled exception. No table.");
        BenchmarkList.Read(new() { How = EndKind.TimedOut, WallSeconds = 1, ResultFile = "/nowhere/result.json", Reason = "no end after 120 s" }).Why
            .ShouldBe("the program that lists them did not end in its time and was stopped: it said nothing");
        BenchmarkList.Read(new() { How = EndKind.Flooded, WallSeconds = 1, ResultFile = "/nowhere/result.json", Reason = "printed more than 1 MiB", Tail = "x" }).Why
            .ShouldBe("the program that lists them did not end by itself (printed more than 1 MiB): x");
    }

    private (BenchmarkList? List, string? Why) Read(string text)
    {
        var file = Path.Combine(_folder.FullName, "result.json");
        File.WriteAllText(file, text);
        return BenchmarkList.Read(new() { How = EndKind.Exited, ExitCode = 0, WallSeconds = 1, ResultFile = file });
    }
}
