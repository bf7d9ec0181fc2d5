using PerfLab.Core.Model;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>Eight machines of one name are asked for, and the subscription has cores for fewer.</summary>
public class FleetQuotaTests
{
    private readonly LabFixture lab = new();

    [Theory]
    [InlineData(4, 1)]
    [InlineData(13, 3)]
    [InlineData(32, 8)]
    public async Task Those_that_the_quota_has_cores_for_come_and_the_others_leave_nothing(int cores, int come)
    {
        var machines = Enumerable.Range(1, 8).Select(number => number == 1 ? "lab-1" : $"lab-{number}").ToList();
        var sets = machines.ToDictionary(name => name, name => name == "lab-1" ? lab.Vm : lab.Azure.Add(name));
        lab.Azure.ScaleSets.CoreQuota = cores;

        var came = new List<string>();
        foreach (var name in machines)
        {
            var request = lab.Request() with { Machine = FakeAzure.Machine(name) };
            try
            {
                await lab.Clock.RunAsync(() => lab.Start.RunAsync(request, CancellationToken.None));
                came.Add(name);
            }
            catch (LabException refused)
            {
                refused.Message.ShouldContain("exceeding approved standardDSv5Family Cores quota");
            }
        }

        came.ShouldBe(machines.Take(come));
        foreach (var (name, set) in sets)
        {
            set.Power.ShouldBe(came.Contains(name) ? "running" : "empty", name);
            set.Tags.ContainsKey(MachineTags.LeaseName).ShouldBe(came.Contains(name), name);
        }

        foreach (var name in machines)
        {
            // As the workflow does: each is given back, also those that never came.
            await lab.Clock.RunAsync(() => lab.Stop.RunAsync(FakeAzure.Machine(name), LabFixture.Us, CancellationToken.None));
        }

        sets.Values.ShouldAllBe(set => set.Power == "empty" && !set.Tags.ContainsKey(MachineTags.LeaseName));
        lab.Azure.ScaleSets.Parts.ShouldBeEmpty();
    }
}
