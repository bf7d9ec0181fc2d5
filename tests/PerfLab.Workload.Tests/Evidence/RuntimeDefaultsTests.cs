using PerfLab.Core.Planning.Requests;
using PerfLab.Launching.Processes;
using PerfLab.Programs;
using PerfLab.Runner.Flow;

namespace PerfLab.Workload.Tests.Evidence;

/// <summary>The table of docs/runtimes.md of what runtimes do by themselves, against the runtimes.</summary>
public class RuntimeDefaultsTests
{
    /// <summary>Heading, then a line for each knob: "knob  net8.0.34  net9.0.23".</summary>
    private static readonly IReadOnlyList<string[]> Table =
    [
        .. File.ReadLines(Path.Combine(Lab.Root, "docs", "runtimes.md")).SkipWhile(line => !line.StartsWith("  knob ", StringComparison.Ordinal))
            .TakeWhile(line => line.StartsWith(' '))
            .Select(line => line.Split("  ", StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)),
    ];

    [Fact]
    public void the_docs_have_a_line_for_each_knob_and_a_value_of_it_for_each_runtime()
    {
        var runtimes = Table[0].Length - 1;
        runtimes.ShouldBeGreaterThan(3);
        Table.Skip(1).Select(line => line[0]).ShouldBe(RuntimeKnobs.All.Select(knob => knob.Name));
        foreach (var (knob, line) in RuntimeKnobs.All.Zip(Table.Skip(1)))
        {
            line.Length.ShouldBe(1 + runtimes, knob.Name);
            line.Skip(1).ShouldBeSubsetOf([.. knob.Values, DefaultsStep.NotSeen]);
        }
    }

    [Fact]
    public async Task the_docs_say_what_each_runtime_reports_where_nothing_is_set()
    {
        Assert.SkipUnless(Nightly.IsAsked, "launches on four runtimes: test --all");
        using var said = new StringWriter();
        var lab = PerfLab.Runner.Flow.Lab.Open(new Terminal { Out = TextWriter.Null, Error = said, Root = Lab.Root, WorkingFolder = Lab.Root });
        await using var launcher = ProcessLauncher.Create();
        var stop = TestContext.Current.CancellationToken;
        var read = await new DefaultsStep(lab, launcher).RunAsync(DefaultsStep.Plan(lab, Table[0][1..], stop), stop);
        read.Select(one => one.Runtime).ShouldBe(Table[0][1..], said.ToString());
        foreach (var line in Table.Skip(1))
        {
            read.Select(one => one.Values[line[0]]).ShouldBe(line[1..], $"{line[0]}: {said}");
        }
    }
}
