using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;
using PerfLab.Machine.Watching;

namespace PerfLab.Runner.Tests.Machine;

/// <summary>Every file that a row reads, spoilt in every way, under a culture whose letters and decimals are not ours.</summary>
public sealed class BadFileTests(FakeMachine machine) : IClassFixture<FakeMachine>
{
    private const int MostFactBytes = 24_000;

    private static readonly SortedDictionary<string, Func<string, string>> Contents = new(StringComparer.Ordinal)
    {
        ["empty"] = _ => "",
        ["garbage"] = _ => "cpu x y z : [ ] - , 0x \u2603 99999999999999999999999 ref: del: =/",
        ["binary"] = _ => Encoding.Latin1.GetString([.. Enumerable.Range(0, 256).Select(i => (byte)i)]),
        ["megabyte"] = _ => new string('9', 1 << 20),
        ["megabyte of lines"] = text => string.Concat(Enumerable.Repeat(text.TrimEnd('\n') + "\n", (1 << 20) / (text.Length + 1))),
        ["negative"] = _ => "-1\n",
        ["newlines"] = _ => new string('\n', 1000),
        ["1024 cores"] = _ => "0-1023\n",
        ["gaps"] = _ => "0-2,5\n",
        ["hybrid"] = _ => "0-7\n8-15\n",
        ["cut"] = text => text[..(text.Length / 2)],
        ["comma decimals"] = text => text.Replace('.', ','),
        ["null bytes"] = text => text + "\0\0\0",
    };

    /// <summary>With `./perf-lab test --all` every file in every way; otherwise each file in a fourth of the ways, and another fourth the next.</summary>
    public static TheoryData<string, string> EveryFileSpoilt()
    {
        string[] ways = [.. Contents.Keys, "missing", "forbidden"];
        return
        [
            .. FakeMachine.Quiet.Keys.SelectMany((path, file) =>
                ways.Where((_, way) => Nightly.IsAsked || (way + file) % 4 == 0).Select(way => (path, way))),
        ];
    }

    [Theory]
    [MemberData(nameof(EveryFileSpoilt))]
    public void a_file_that_is_not_as_expected_becomes_unknown_or_a_value(string path, string spoil)
    {
        var culture = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = new CultureInfo("tr-TR");
            Spoil(path, spoil);
            var facts = MachineFacts.Read(machine.Files, new FakeClocks(), new DiskSpace(10, 100));
            var text = facts.ToJsonString();
            text.Length.ShouldBeLessThan(MostFactBytes);
            JsonNode.Parse(text).ShouldNotBeNull();
            foreach (var policy in Enum.GetValues<HygienePolicy>())
            {
                HygieneJudge.Judge(facts, policy).ShouldAllBe(finding => finding.Name.Length > 0 && !finding.Value.Any(char.IsControl));
            }

            using var watch = new HygieneWatch(machine.Files, new FakeClocks(), HygienePolicy.Metal);
            var reading = watch.Read();
            var launch = new JsonObject { ["outside"] = new JsonObject { ["cpus"] = "2,5", ["cpuSeconds"] = 1.0 } };
            watch.Compare(reading, watch.Read(), launch).Voids.ShouldBeEmpty();
        }
        finally
        {
            CultureInfo.CurrentCulture = culture;
            machine.Restore(path);
        }
    }

    [Theory]
    [InlineData("/proc/cpuinfo", "cpu.model")]
    [InlineData("/sys/devices/system/cpu/online", "cpu.online")]
    [InlineData("/proc/sys/kernel/random/boot_id", "bootId")]
    [InlineData("/sys/class/dmi/id/sys_vendor", "hypervisor.vendor")]
    [InlineData("/proc/version", "kernel")]
    [InlineData("/proc/cmdline", "commandLine")]
    [InlineData("/proc/self/status", "speculation.storeBypass")]
    [InlineData("/sys/devices/system/cpu/cpufreq/boost", "boost.cpufreq")]
    [InlineData("/sys/devices/system/cpu/intel_pstate/no_turbo", "boost.intelNoTurbo")]
    [InlineData("/sys/devices/system/cpu/smt/active", "smt.active")]
    [InlineData("/sys/devices/system/cpu/isolated", "split.isolated", "may be empty")]
    [InlineData("/sys/devices/system/cpu/cpuidle/current_driver", "idle.driver")]
    [InlineData("/proc/sys/kernel/randomize_va_space", "addressSpace")]
    [InlineData("/sys/kernel/mm/transparent_hugepage/enabled", "hugePages.enabled")]
    [InlineData("/sys/devices/system/node/online", "numa.nodes")]
    [InlineData("/proc/sys/kernel/numa_balancing", "numa.balancing")]
    [InlineData("/proc/swaps", "swapKiB")]
    [InlineData("/proc/sys/kernel/nmi_watchdog", "watchdog.nmi")]
    [InlineData("/sys/devices/system/clocksource/clocksource0/current_clocksource", "clockSource")]
    [InlineData("/proc/stat", "stealShare")]
    [InlineData("/proc/pressure/memory", "pressure.memory")]
    [InlineData("/proc/schedstat", "waitingSeconds")]
    [InlineData("/proc/vmstat", "memoryKills")]
    [InlineData("/proc/loadavg", "load")]
    [InlineData("/proc/meminfo", "disk.dirtyKiB")]
    [InlineData("/proc/self/uid_map", "nesting.userNamespace")]
    public void missing_is_absent_and_nonsense_is_unknown(string path, string fact, string? mayBeEmpty = null)
    {
        string Fact() => new FactReader(MachineFacts.Read(machine.Files, new FakeClocks())).Text(fact);
        try
        {
            foreach (var spoil in new[] { "binary", "empty", "forbidden" }.Where(spoil => mayBeEmpty is null || spoil != "empty"))
            {
                machine.Restore(path);
                Spoil(path, spoil);
                // A status that can't be opened can't be told from one that is not there.
                Fact().ShouldBe(path == "/proc/self/status" && spoil == "forbidden" ? "absent" : "unknown", spoil);
            }

            machine.Restore(path);
            machine.Remove(path);
            Fact().ShouldBe("absent");
        }
        finally
        {
            machine.Restore(path);
        }
    }

    [Theory]
    [InlineData("tr-TR")]
    [InlineData("de-DE")]
    [InlineData("fa-IR")]
    public void facts_and_findings_are_the_same_under_every_culture(string name)
    {
        var invariant = Everything();
        var culture = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = new CultureInfo(name);
            Everything().ShouldBe(invariant);
        }
        finally
        {
            CultureInfo.CurrentCulture = culture;
        }

        string Everything()
        {
            var facts = MachineFacts.Read(machine.Files, new FakeClocks(), new DiskSpace(10, 100));
            return facts.ToJsonString() + string.Join('\n', HygieneJudge.Judge(facts, HygienePolicy.Metal));
        }
    }

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
                machine.Write(path, Contents[spoil](FakeMachine.Quiet[path]));
                break;
        }
    }
}
