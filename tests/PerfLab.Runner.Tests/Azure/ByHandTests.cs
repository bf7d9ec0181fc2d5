using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Lab.Azure;
using PerfLab.Lab.Commands;
using PerfLab.Programs;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>People who start and stop by hand have no run of GitHub's to tell them apart.</summary>
public sealed class ByHandTests : IDisposable
{
    private readonly LabFixture lab = new();
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");

    public ByHandTests()
    {
        File.WriteAllText(Path.Combine(folder.FullName, "perf-lab.yaml"), "schema: perf-lab/config/1\nmachines:\n  lab-1: { kind: azure, size: Standard_D4s_v5, policy: azure, price-per-hour: 0.19 }\n");
        File.WriteAllText(Path.Combine(folder.FullName, "lab.json"), LabFileTests.WithCluster);
    }

    public void Dispose() => folder.Delete(recursive: true);

    /// <returns>What the command printed, or why it failed.</returns>
    private async Task<string> LabAsync(params string[] arguments)
    {
        using var output = new StringWriter();
        var terminal = new Terminal { Out = output, Error = output, Root = folder.FullName, WorkingFolder = folder.FullName, Clock = lab.Clock };
        var configuration = new InvocationConfiguration { EnableDefaultExceptionHandler = false, Output = output, Error = output };
        try
        {
            // As outside of a workflow, also when these tests run in one.
            await LabCommand.Create(terminal, () => lab.Azure.AccessFor("lab-power")).Parse([.. arguments, "--run", "0/0"]).InvokeAsync(configuration, CancellationToken.None);
            return output.ToString();
        }
        catch (LabException refused)
        {
            return refused.CameBack;
        }
    }

    [Theory]
    [InlineData("lab-1")]
    [InlineData("cluster")]
    public async Task Of_two_who_start_in_the_same_second_one_has_it_and_the_other_says_so(string name)
    {
        var aks = lab.Azure.AddCluster();

        var people = new[] { 1, 2 }.Select(_ => Task.Run(() => LabAsync("start", name))).ToList();
        await lab.Clock.RunAsync([.. people.Cast<Task>()]);
        var ended = people.ConvertAll(person => person.Result);

        var held = Lease.Parse((name == "cluster" ? aks.Tags : lab.Vm.Tags)[MachineTags.LeaseName])!;
        ended.Count(text => text.Contains($"{name} runs for {held.Holder} until", StringComparison.Ordinal)).ShouldBe(1, string.Join("; ", ended));
        ended.Count(text => text.Contains("still holds it", StringComparison.Ordinal) || text.Contains("at the same moment", StringComparison.Ordinal)).ShouldBe(1, string.Join("; ", ended));
    }

    [Fact]
    public async Task Who_starts_while_another_person_has_it_does_not_end_that_ones_machine()
    {
        await lab.Clock.RunAsync(() => LabAsync("start", "lab-1"));

        (await lab.Clock.RunAsync(() => LabAsync("start", "lab-1"))).ShouldContain("still holds it");
        lab.Vm.Made.ShouldBe(1);
        lab.Vm.Power.ShouldBe("running");
    }

    [Fact]
    public async Task A_stop_by_hand_ends_what_was_started_by_hand_and_nothing_that_a_run_holds()
    {
        await lab.Clock.RunAsync(() => LabAsync("start", "lab-1"));
        Lease.Parse(lab.Vm.Tags[MachineTags.LeaseName])!.Holder.ShouldSatisfyAllConditions(holder => holder.RunId.ShouldBe(0), holder => holder.Attempt.ShouldBeInRange(1, 999_999_999));

        (await lab.Clock.RunAsync(() => LabAsync("stop", "lab-1"))).ShouldContain("lab-1 is empty and costs nothing");

        lab.RunningUnder(new Lease(LabFixture.Them, lab.Now.AddHours(1)));
        (await lab.Clock.RunAsync(() => LabAsync("stop", "lab-1"))).ShouldStartWith("run 42/1 holds it");
        lab.Vm.Power.ShouldBe("running");
    }

    [Fact]
    public void A_run_is_who_it_is_and_two_people_are_never_the_same()
    {
        LabFixture.Us.ToStart().ShouldBe(LabFixture.Us);
        var (one, other) = (LeaseHolder.ByHand.ToStart(), LeaseHolder.ByHand.ToStart());
        one.ShouldNotBe(other);
        one.ToStart().ShouldBe(one);
        (one.MayEnd(other), LeaseHolder.ByHand.MayEnd(one), LeaseHolder.ByHand.MayEnd(LabFixture.Us), LabFixture.Us.MayEnd(one)).ShouldBe((false, true, false, false));
    }
}
