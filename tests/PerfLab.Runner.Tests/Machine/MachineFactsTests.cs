using System.Text.Json.Nodes;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;

namespace PerfLab.Runner.Tests.Machine;

public sealed class MachineFactsTests : IDisposable
{
    private readonly FakeMachine machine = new();

    public void Dispose() => machine.Dispose();

    [Fact]
    public void a_quiet_machine_is_described()
    {
        var facts = Read();

        facts["cpu"]!.ToJsonString().ShouldBe(
            """{"model":"AMD Ryzen 9 5950X 16-Core Processor","family":"25","modelNumber":"33","stepping":"2","microcode":"0xa20120a","online":"0-2,5","kinds":"1024"}""");
        Text(facts, "bootId").ShouldBe(FakeMachine.BootId);
        Text(facts, "hugePages", "enabled").ShouldBe("madvise");
        Text(facts, "clockSource").ShouldBe("tsc");
        Text(facts, "cgroup").ShouldBe("v2");
        Number(facts, "swapKiB").ShouldBe(0);
        Number(facts, "stealShare").ShouldBe(0);
        Number(facts, "load").ShouldBe(0.08);
        Number(facts, "memoryKills").ShouldBe(0);
    }

    [Fact]
    public void an_empty_folder_in_the_place_of_the_machine_is_all_absent()
    {
        using var nothing = new FakeMachine();
        foreach (var path in FakeMachine.Quiet.Keys)
        {
            nothing.Remove(path);
        }

        var facts = MachineFacts.Read(nothing.Files, new FakeClocks());

        Text(facts, "cpu", "model").ShouldBe("absent");
        Text(facts, "hugePages", "defrag").ShouldBe("absent");
        Text(facts, "cgroup").ShouldBe("absent");
    }

    [Fact]
    public void a_machine_with_1024_cores_is_described()
    {
        machine.Write("/proc/cpuinfo", string.Concat(Enumerable.Range(0, 1024).Select(i => $"processor\t: {i}\nmodel name\t: Big One\n{new string('f', 900)}\n\n")));
        machine.Write("/sys/devices/system/cpu/online", "0-511,513-1023\n");
        machine.Write("/proc/stat", "cpu  10 0 10 80 0 0 0 0 0 0\n" + string.Concat(Enumerable.Range(0, 1024).Select(i => $"cpu{i} 1 1 1 1 1 1 1 1 1 1\n")));

        var facts = Read();

        Text(facts, "cpu", "model").ShouldBe("Big One");
        Text(facts, "cpu", "online").ShouldBe("0-511,513-1023");
        Number(facts, "stealShare").ShouldBe(0);
    }

    [Fact]
    public void swap_is_summed()
    {
        machine.Write("/proc/swaps", FakeMachine.Quiet["/proc/swaps"] + "/dev/sda2  partition 1048576 0 -2\n/swap\tfile\t2048\t0\t-3\n");

        Number(Read(), "swapKiB").ShouldBe(1_050_624);
    }

    [Fact]
    public void cgroup_version_1_is_told_from_none()
    {
        machine.Remove("/sys/fs/cgroup/cgroup.controllers");
        machine.Write("/sys/fs/cgroup/memory/tasks", "1\n");
        machine.Write("/sys/fs/cgroup/cpuset/tasks", "1\n");
        machine.Write("/proc/self/cgroup", "3:cpuset:/\n1:cpu:/mine\n0::/\n");
        machine.Write("/sys/fs/cgroup/cpu/mine/cpu.cfs_quota_us", "50000\n");


        var facts = Read();
        Text(facts, "cgroup").ShouldBe("v1");
        Text(facts, "split", "controller").ShouldBe("yes");
        Text(facts, "quota").ShouldBe("set");
    }

    [Fact]
    public void disk_and_executor_are_part_of_it_when_given()
    {
        var executor = new JsonObject { ["executor"] = "process" };
        var facts = MachineFacts.Read(machine.Files, new FakeClocks(), new DiskSpace(10, 100), executor);

        facts["disk"]!.ToJsonString().ShouldBe("""{"schedulers":"none (nvme0n1)","dirtyKiB":120,"freeBytes":10,"totalBytes":100}""");
        Text(facts, "executor", "executor").ShouldBe("process");
        executor.Parent.ShouldBeNull("the launcher's own object stays its own");
    }

    [Fact]
    public void this_machine_can_be_described()
    {
        var facts = MachineFacts.Read(new MachineFiles(), TimeProvider.System, DiskSpace.Of(Path.Combine(Path.GetTempPath(), "not", "there")));

        facts["disk"]!["totalBytes"]!.GetValue<long>().ShouldBeGreaterThan(0);
        Guid.TryParse(Text(facts, "bootId"), out _).ShouldBeTrue();
    }

    private static string Text(JsonObject facts, params string[] path) => path.Aggregate((JsonNode)facts, (node, name) => node[name]!).GetValue<string>();

    private static double Number(JsonObject facts, string name) => JsonNode.Parse(facts[name]!.ToJsonString())!.GetValue<double>();

    private JsonObject Read() => MachineFacts.Read(machine.Files, new FakeClocks());
}
