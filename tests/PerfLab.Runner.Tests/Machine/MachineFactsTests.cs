using System.Text;
using System.Text.Json.Nodes;
using PerfLab.Runner.Machine;

namespace PerfLab.Runner.Tests.Machine;

public sealed class MachineFactsTests : IDisposable
{
    private static readonly string[] Spoils = ["missing", "empty", "garbage", "binary", "megabyte", "negative", "forbidden", "newlines"];
    private readonly FakeMachine machine = new();

    public void Dispose() => machine.Dispose();

    public static TheoryData<string, string> EveryFileSpoilt() =>
        [.. FakeMachine.Quiet.Keys.SelectMany(path => Spoils.Select(spoil => (path, spoil)))];

    [Fact]
    public void a_quiet_machine_is_described()
    {
        var facts = Read();

        facts["cpu"]!.ToJsonString().ShouldBe(
            """{"model":"AMD Ryzen 9 5950X 16-Core Processor","family":"25","modelNumber":"33","stepping":"2","microcode":"0xa20120a","online":"0-2,5"}""");
        Text(facts, "bootId").ShouldBe(FakeMachine.BootId);
        Text(facts, "hugePages", "enabled").ShouldBe("madvise");
        Text(facts, "clockSource").ShouldBe("tsc");
        Text(facts, "cgroup").ShouldBe("v2");
        Number(facts, "swapKiB").ShouldBe(0);
        Number(facts, "stealShare").ShouldBe(0);
        Number(facts, "load").ShouldBe(0.08);
        Number(facts, "memoryKills").ShouldBe(0);
    }

    [Theory]
    [MemberData(nameof(EveryFileSpoilt))]
    public void a_file_that_is_not_as_expected_becomes_a_word_or_a_value(string path, string spoil)
    {
        Spoil(path, spoil);
        var facts = Read();

        var text = facts.ToJsonString();
        text.Length.ShouldBeLessThan(4_000);
        text.ShouldNotContain("\\u0001");
        JsonNode.Parse(text).ShouldNotBeNull();
        Should.NotThrow(() => Hygiene.Judge(facts, HygienePolicy.Metal));
        Should.NotThrow(() => new HygieneWatch(machine.Files, new FakeClocks(), HygienePolicy.Metal).Read());
    }

    [Theory]
    [InlineData("/proc/swaps", "swapKiB")]
    [InlineData("/proc/stat", "stealShare")]
    [InlineData("/proc/loadavg", "load")]
    [InlineData("/proc/sys/kernel/random/boot_id", "bootId")]
    [InlineData("/proc/version", "kernel")]
    [InlineData("/sys/devices/system/clocksource/clocksource0/current_clocksource", "clockSource")]
    public void missing_is_absent_and_nonsense_is_unknown(string path, string fact)
    {
        machine.Write(path, "\u0001\u0002");
        Text(Read(), fact).ShouldBe("unknown");

        machine.Forbid(path);
        Text(Read(), fact).ShouldBe("unknown");

        Directory.Delete(Path.Combine(machine.Folder, path.TrimStart('/')));
        Text(Read(), fact).ShouldBe("absent");
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

        Text(Read(), "cgroup").ShouldBe("v1");
    }

    [Fact]
    public void disk_and_executor_are_part_of_it_when_given()
    {
        var executor = new JsonObject { ["executor"] = "process" };
        var facts = MachineFacts.Read(machine.Files, new FakeClocks(), new DiskSpace(10, 100), executor);

        facts["disk"]!.ToJsonString().ShouldBe("""{"freeBytes":10,"totalBytes":100}""");
        Text(facts, "executor", "executor").ShouldBe("process");
        executor.Parent.ShouldBeNull("the launcher's own object stays its own");
    }

    [Fact]
    public void this_machine_can_be_described()
    {
        var facts = MachineFacts.Read(new MachineFiles(), TimeProvider.System, DiskSpace.Of(Path.Combine(Path.GetTempPath(), "not", "there")));

        facts["disk"]!["totalBytes"]!.GetValue<long>().ShouldBeGreaterThan(0);
        if (OperatingSystem.IsLinux())
        {
            Guid.TryParse(Text(facts, "bootId"), out _).ShouldBeTrue();
        }
    }

    private static string Text(JsonObject facts, params string[] path) => path.Aggregate((JsonNode)facts, (node, name) => node[name]!).GetValue<string>();

    private static double Number(JsonObject facts, string name) => JsonNode.Parse(facts[name]!.ToJsonString())!.GetValue<double>();

    private JsonObject Read() => MachineFacts.Read(machine.Files, new FakeClocks());

    private void Spoil(string path, string spoil)
    {
        switch (spoil)
        {
            case "missing":
                machine.Remove(path);
                break;
            case "forbidden":
                machine.Forbid(path);
                break;
            default:
                machine.Write(path, spoil switch
                {
                    "empty" => "",
                    "garbage" => "cpu x y z : [ ] - , 0x \u2603 99999999999999999999999",
                    "binary" => Encoding.Latin1.GetString([.. Enumerable.Range(0, 256).Select(i => (byte)i)]),
                    "megabyte" => new string('9', 1 << 20),
                    "negative" => "-1",
                    _ => new string('\n', 1000),
                });
                break;
        }
    }
}
