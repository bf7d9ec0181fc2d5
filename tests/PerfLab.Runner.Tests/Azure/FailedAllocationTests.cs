using PerfLab.Core.Model;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>A try that Azure has no place for, where the reason can't be learned: the operation's status may not be read, and nothing is left that names it.</summary>
public sealed class FailedAllocationTests
{
    private readonly LabFixture lab = new();

    public FailedAllocationTests()
    {
        (lab.Azure.ScaleSets.StatusMayBeRead, lab.Azure.ScaleSets.FailedAllocationLeavesMachine) = (false, false);
    }

    private void NoCapacity(int times)
    {
        for (var i = 0; i < times; i++)
        {
            lab.Azure.ScaleSets.StartErrors.Enqueue(FakeAzure.OperationError("AllocationFailed", "no capacity"));
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task It_is_tried_three_times_and_told_for_what_it_most_often_is(bool keepsCapacity)
    {
        lab.Azure.ScaleSets.FailedAllocationKeepsCapacity = keepsCapacity;
        NoCapacity(5);
        var before = lab.Now;

        var error = await Should.ThrowAsync<LabException>(() => lab.StartAsync());

        lab.Azure.Calls.Count(call => call.Verb == "start").ShouldBe(lab.Limits.AllocationTries);
        error.CameBack.ShouldBe("the machine could not be made: Azure says Failed, and not why");
        error.DoNext.ShouldStartWith("what fails without a word is no capacity for Standard_D4s_v5 in westeurope, most often: ask again later");
        (lab.Now - before).ShouldBeLessThan(lab.Limits.StartDeadline);
        lab.Azure.ScaleSets.Parts.ShouldBeEmpty();
    }

    [Fact]
    public async Task Capacity_that_comes_back_is_taken()
    {
        NoCapacity(2);

        await lab.StartAsync();

        lab.Vm.Power.ShouldBe("running");
    }

    /// <summary>The state is a while that of the try before: nobody gives up a machine that is being made.</summary>
    [Fact]
    public async Task A_state_that_is_old_is_not_believed_at_once()
    {
        lab.Vm.Provisioning = "Failed";
        var old = lab.Limits.ViewReadings - 2;
        lab.Azure.Faults.Add((call, act) =>
        {
            if (call.Verb == "read" && lab.Azure.Calls.Exists(other => other.Verb == "start") && old-- > 0)
            {
                var now = lab.Vm.Provisioning;
                lab.Vm.Provisioning = "Failed";
                var answer = act();
                lab.Vm.Provisioning = now;
                return answer;
            }

            return null;
        });

        await lab.StartAsync();

        lab.Azure.Calls.Count(call => call.Verb == "start").ShouldBe(1);
        old.ShouldBeLessThanOrEqualTo(lab.Limits.ViewReadings - 4);
    }

    /// <summary>Half a machine whose instance view is in no list: its own state says Failed, and asked for itself it says why.</summary>
    [Fact]
    public async Task A_code_that_only_the_machine_itself_tells_is_learned()
    {
        (lab.Azure.ScaleSets.ListsInstanceViews, lab.Azure.ScaleSets.FailedAllocationLeavesMachine) = (false, true);
        NoCapacity(5);

        (await Should.ThrowAsync<LabException>(() => lab.StartAsync())).CameBack.ShouldStartWith("AllocationFailed: ");
    }
}
