namespace PerfLab.Runner.Tests.MachineContent;

/// <summary>What a subscription has never used it refuses (MissingSubscriptionRegistration): bootstrap registers it. Played: `az` (<see cref="BootstrapStandIns"/>).</summary>
public sealed class BootstrapProviderTests : IDisposable
{
    private readonly BootstrapStandIns lab = new();

    public void Dispose() => lab.Dispose();

    private void Fresh(params string[] providers)
    {
        var file = lab.File("providers");
        var lines = File.ReadAllLines(file).Select(line => providers.Any(line.StartsWith) ? line.Split(' ')[0] + " NotRegistered" : line);
        File.WriteAllLines(file, [.. lines]);
    }

    [Fact]
    public async Task A_check_names_what_is_missing_and_registers_nothing()
    {
        Fresh("Microsoft.DevTestLab", "microsoft.logic");

        var result = await lab.RunAsync(["--check", .. BootstrapStandIns.All]);

        result.Exit.ShouldBe(0, result.Output);
        result.Output.ShouldContain("todo the subscription has to register Microsoft.DevTestLab (now: NotRegistered)\n");
        result.Output.ShouldContain("todo the subscription has to register Microsoft.Logic (now: NotRegistered)\n");
        lab.Changes.ShouldBeEmpty();
    }

    [Fact]
    public async Task What_is_missing_is_registered_and_waited_for_and_nothing_else()
    {
        Fresh("Microsoft.DevTestLab", "microsoft.logic");

        var first = await lab.RunAsync(BootstrapStandIns.All);
        var second = await lab.RunAsync(BootstrapStandIns.All);

        first.Exit.ShouldBe(0, first.Output);
        first.Output.ShouldContain("ok   registered Microsoft.DevTestLab\nok   registered Microsoft.Logic\n");
        lab.Changes.Where(call => call.StartsWith("provider register", StringComparison.Ordinal))
            .ShouldBe(["provider register --namespace Microsoft.DevTestLab --only-show-errors", "provider register --namespace Microsoft.Logic --only-show-errors"]);
        second.Output.ShouldContain("ok   the subscription has registered all 9 providers\n");
    }

    [Fact]
    public async Task One_that_never_comes_ends_with_its_state_and_the_rest_is_not_made()
    {
        Nightly.Only("10 seconds");
        Fresh("Microsoft.DevTestLab");

        var result = await lab.RunAsync(BootstrapStandIns.All, ("AZ_SLOW", "1"));

        result.Exit.ShouldBe(1);
        result.Output.ShouldContain("no   Microsoft.DevTestLab is still Registering");
        lab.Changes.ShouldNotContain(call => call.StartsWith("group create", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Undoing_leaves_them_alone_and_says_so()
    {
        Nightly.Only("5 seconds");
        Fresh("Microsoft.DevTestLab");
        await lab.RunAsync(BootstrapStandIns.All);

        var result = await lab.RunAsync(["--undo"]);

        result.Output.ShouldContain("what the subscription has registered stays registered");
        (await File.ReadAllTextAsync(lab.File("providers"))).ShouldContain("Microsoft.DevTestLab Registered");
        lab.Changes.ShouldNotContain(call => call.Contains("unregister", StringComparison.Ordinal));
    }
}
