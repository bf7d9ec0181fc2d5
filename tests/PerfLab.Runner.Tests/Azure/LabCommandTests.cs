using System.CommandLine;
using System.Net;
using System.Text.Json.Nodes;
using PerfLab.Core.Model;
using PerfLab.Lab.Azure;
using PerfLab.Lab.Commands;
using PerfLab.Programs;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>`perf-lab lab …` as a person or a workflow calls it, against the fake.</summary>
public sealed class LabCommandTests : IDisposable
{
    private readonly LabFixture lab = new();
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");
    private readonly StringWriter output = new();
    private readonly StringWriter error = new();

    public LabCommandTests()
    {
        File.WriteAllText(At("perf-lab.yaml"), "schema: perf-lab/config/1\nmachines:\n  lab-1: { kind: azure, size: Standard_D4s_v5, policy: azure, price-per-hour: 0.19 }\n");
        File.WriteAllText(At("lab.json"), LabFileTests.Sample);
    }

    public void Dispose()
    {
        folder.Delete(recursive: true);
        output.Dispose();
        error.Dispose();
    }

    private string At(string name) => Path.Combine(folder.FullName, name);

    private Task<int> LabAsync(params string[] arguments)
    {
        var terminal = new Terminal { Out = output, Error = error, Root = folder.FullName, WorkingFolder = folder.FullName, Clock = lab.Clock };
        var command = LabCommand.Create(terminal, () => lab.Azure.AccessFor("lab-power"));
        var configuration = new InvocationConfiguration { EnableDefaultExceptionHandler = false, Output = output, Error = error };
        return lab.Clock.RunAsync(() => command.Parse(arguments).InvokeAsync(configuration, CancellationToken.None));
    }

    [Fact]
    public async Task A_day_of_a_machine()
    {
        File.WriteAllText(At("jit.txt"), CustomDataTests.Jit);

        (await LabAsync("start", "lab-1", "--run", "4711/1", "--minutes", "90", "--jit", "jit.txt")).ShouldBe(0);
        (await LabAsync("status")).ShouldBe(0);
        (await LabAsync("stop", "lab-1", "--run", "4711/1")).ShouldBe(0);
        (await LabAsync("reap")).ShouldBe(0);

        output.ToString().ReplaceLineEndings("\n").ShouldBe("""
            lab-1 runs for 4711/1 until 2026-11-02T09:30:00Z, at 0.19 an hour: at most 0.29
            machine  power    held by  until (UTC)           this run     this month
            lab-1    running  4711/1   2026-11-02T09:30:00Z  1 min, 0.00  1 min, 0.00
            ryzen    metal    -        -                     -            -

            Everything is switched off every day at 0300 UTC. Times are from the first call to the last; the disk and the address of a machine cost extra while it runs.
            lab-1 is empty and costs nothing
            lab-1: empty

            """.ReplaceLineEndings("\n"));
        Convert.FromBase64String(lab.Vm.CustomData!).Length.ShouldBeGreaterThan(100);
        (output.ToString() + error).ShouldNotContain(CustomDataTests.Jit[..20], Case.Sensitive, "the blob is never shown");
    }

    [Fact]
    public async Task A_day_of_a_cluster()
    {
        File.WriteAllText(At("lab.json"), LabFileTests.WithCluster);
        var aks = lab.Azure.AddCluster();

        (await LabAsync("start", "cluster", "--minutes", "90", "--run", "0/17")).ShouldBe(0);
        (await LabAsync("status")).ShouldBe(0);
        (await LabAsync("stop", "cluster", "--run", "0/0")).ShouldBe(0);
        (await LabAsync("reap")).ShouldBe(0);

        output.ToString().ReplaceLineEndings("\n").ShouldBe("""
            cluster runs for 0/17 until 2026-11-02T09:30:00Z, at up to 1.14 an hour: at most 1.71
            machine  power    held by  until (UTC)           this run        this month
            lab-1    empty    -        -                     -               -
            cluster  running  0/17     2026-11-02T09:30:00Z  4 min, <= 0.08  4 min, <= 0.08
            ryzen    metal    -        -                     -               -

            Machines are switched off every day at 0300 UTC. Times are from the first call to the last; the disk and the address of a machine cost extra while it runs.
            cluster has no daily shutdown: `lab stop`, the reaper and its watchdog in Azure stop it. Its money is that of all 6 nodes that it may have.
            cluster is stopped and costs nothing but its disks
            lab-1: empty
            cluster: stopped

            """.ReplaceLineEndings("\n"));
        aks.IsOff.ShouldBeTrue();
    }

    [Theory]
    [InlineData("start", "cluster", "--jit", "jit.txt")]
    [InlineData("stop", "cluster", "--boot-log", "boot.log")]
    public async Task What_only_a_machine_has_is_refused_of_a_cluster(params string[] arguments)
    {
        File.WriteAllText(At("lab.json"), LabFileTests.WithCluster);

        (await Should.ThrowAsync<WrongUseException>(() => LabAsync(arguments))).Message.ShouldContain("is a cluster");

        lab.Azure.Calls.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("[  OK  ] Started something.\nkernel panic\n")]
    [InlineData(null)]
    public async Task A_stop_saves_the_boot_log_and_stops_without_one_all_the_same(string? log)
    {
        lab.Azure.BootLog = log;
        lab.RunningUnder(new Lease(LabFixture.Us, lab.Now.AddHours(1)));

        (await LabAsync("stop", "lab-1", "--run", "4711/1", "--boot-log", "boot.log")).ShouldBe(0);

        (File.Exists(At("boot.log")) ? File.ReadAllText(At("boot.log")) : null).ShouldBe(log);
        lab.Vm.Power.ShouldBe("empty");
    }

    /// <summary>Its address holds a key to storage: it never goes over the wire in the clear.</summary>
    [Fact]
    public async Task A_boot_log_at_an_address_without_tls_is_not_fetched()
    {
        (lab.Azure.BootLog, lab.Azure.ScaleSets.BootLogAddress) = ("log", "http://storage.test/log?sig=x");
        lab.RunningUnder(new Lease(LabFixture.Us, lab.Now.AddHours(1)));

        (await LabAsync("stop", "lab-1", "--run", "4711/1", "--boot-log", "boot.log")).ShouldBe(0);

        File.Exists(At("boot.log")).ShouldBeFalse();
    }

    [Fact]
    public async Task A_bad_configuration_blob_costs_nothing()
    {
        File.WriteAllText(At("jit.txt"), "oops");

        await Should.ThrowAsync<LabException>(() => LabAsync("start", "lab-1", "--jit", "jit.txt"));

        lab.Azure.Calls.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("start", "nope")]
    [InlineData("start", "ryzen")]
    [InlineData("start", "lab-1", "--minutes", "421")]
    [InlineData("start", "lab-1", "--minutes", "4")]
    [InlineData("start", "lab-1", "--run", "x/1")]
    [InlineData("start", "lab-1", "--jit", "missing.txt")]
    [InlineData("reap", "--runners", "missing.json")]
    public async Task Wrong_use_is_refused_before_Azure_is_asked(params string[] arguments)
    {
        await Should.ThrowAsync<WrongUseException>(() => LabAsync(arguments));

        lab.Azure.Calls.ShouldBeEmpty();
    }

    [Fact]
    public async Task A_list_of_runners_that_is_none_ends_nothing()
    {
        lab.RunningUnder(null);
        File.WriteAllText(At("runners.json"), "<html>");

        await Should.ThrowAsync<LabException>(() => LabAsync("reap", "--runners", "runners.json"));

        lab.Azure.Calls.ShouldBeEmpty();
    }

    [Fact]
    public async Task Without_a_lab_file_the_way_to_one_is_told()
    {
        File.Delete(At("lab.json"));

        (await Should.ThrowAsync<LabException>(() => LabAsync("status"))).DoNext.ShouldContain("perf-lab lab configure");
    }

    [Fact]
    public async Task Status_shows_what_it_can_and_fails_when_something_is_unknown()
    {
        lab.Azure.Faults.Add((_, _) => FakeAzure.Error(HttpStatusCode.Forbidden, "AuthorizationFailed", "no"));

        (await LabAsync("status", "--json")).ShouldBe(1);

        JsonNode.Parse(output.ToString())![0]!["failure"]!.GetValue<string>().ShouldBe("permission");
        error.ToString().ShouldContain("to do:     this identity may not do that on lab-1");
    }
}
