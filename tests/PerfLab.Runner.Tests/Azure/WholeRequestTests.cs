using System.CommandLine;
using System.Text.RegularExpressions;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Lab.Power;
using PerfLab.Lab.Azure;
using PerfLab.Lab.Commands;
using PerfLab.Programs;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>
/// A whole request, from `lab start` to the reaper's next round: the lines that the workflows' own steps call, against the fake Azure with all
/// that it refuses.
/// </summary>
public sealed partial class WholeRequestTests : IDisposable
{
    private readonly LabFixture lab = new();
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");
    private readonly StringWriter output = new();

    public WholeRequestTests()
    {
        Write("perf-lab.yaml", "schema: perf-lab/config/1\nmachines:\n  lab-1: { kind: azure, size: Standard_D4s_v5, policy: azure, price-per-hour: 0.19 }\n");
        Write("lab.json", LabFileTests.Sample);
        Write("jit", CustomDataTests.Jit);
    }

    public void Dispose()
    {
        folder.Delete(recursive: true);
        output.Dispose();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_steps_of_the_workflows_make_use_and_delete_a_machine_and_nothing_is_left(bool deletesWell)
    {
        await StepAsync("lab-up", "start");
        lab.Vm.Power.ShouldBe("running");
        lab.Azure.ScaleSets.Parts.Select(part => part.Kind.Split('/')[^1]).Order(StringComparer.Ordinal)
            .ShouldBe(["disks", "networkInterfaces", "publicIPAddresses", "schedules"]);
        lab.Clock.Advance(TimeSpan.FromMinutes(30));
        var name = RunnerList.NameFor(Lease.Parse(lab.Vm.Tags[MachineTags.LeaseName])!.Holder, "lab-1");
        Write("runners.json", $$"""{"runners":[{"name":"{{name}}","status":"online","busy":true}]}""");
        await StepAsync("reap", "reap");
        lab.Vm.Power.ShouldBe("running", "somebody's");

        lab.Azure.ScaleSets.NextDeleteLeavesParts = !deletesWell;
        await StepAsync("lab-down", "stop");
        await StepAsync("reap", "reap");

        (lab.Vm.Power, lab.Vm.Capacity, lab.Vm.Made).ShouldBe(("empty", 0, 1));
        lab.Azure.ScaleSets.Parts.ShouldBeEmpty();
        lab.Vm.Tags.Keys.ShouldBe(["perf-lab:stack", "owner", MachineTags.UsedName], ignoreOrder: true);
        new MachineTags(lab.Vm.Tags).UsedMinutes(lab.Now).ShouldBeInRange(31, 35);
        lab.Azure.Calls.ShouldAllBe(call => call.Caller == "lab-power");
    }

    /// <summary>The line of an action that calls `perf-lab lab`, as bash would: variables by their values.</summary>
    private async Task StepAsync(string action, string verb)
    {
        var line = LabLine().Matches(Repository.Read($".github/actions/{action}/action.yml")).Select(match => match.Groups["line"].Value).Single(text => text.StartsWith(verb, StringComparison.Ordinal));
        var arguments = line.Replace("\"${console[@]}\"", "", StringComparison.Ordinal).Replace("\"$@\"", "--runners runners.json", StringComparison.Ordinal)
            .Replace("\"$MACHINE\"", "lab-1", StringComparison.Ordinal).Replace("\"$MINUTES\"", "120", StringComparison.Ordinal).Replace("\"$JIT\"", "jit", StringComparison.Ordinal);
        arguments.ShouldNotContain("$");
        var terminal = new Terminal { Out = output, Error = output, Root = folder.FullName, WorkingFolder = folder.FullName, Clock = lab.Clock };
        var command = LabCommand.Create(terminal, () => lab.Azure.AccessFor("lab-power"));
        var configuration = new InvocationConfiguration { EnableDefaultExceptionHandler = false, Output = output, Error = output };

        var exit = await lab.Clock.RunAsync(() => command.Parse(arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries)).InvokeAsync(configuration, CancellationToken.None));

        exit.ShouldBe(0, output.ToString());
    }

    private void Write(string name, string text) => File.WriteAllText(Path.Combine(folder.FullName, name), text);

    [GeneratedRegex(@"(perf-lab|--) lab (?<line>(start|stop|reap).*)$", RegexOptions.Multiline | RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex LabLine();
}
