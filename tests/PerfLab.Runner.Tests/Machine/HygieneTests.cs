using System.Text.Json.Nodes;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;

namespace PerfLab.Runner.Tests.Machine;

public sealed class HygieneTests : IDisposable
{
    private readonly FakeMachine machine = new();

    public void Dispose() => machine.Dispose();

    [Theory]
    [InlineData(HygienePolicy.Any)]
    [InlineData(HygienePolicy.Hosted)]
    [InlineData(HygienePolicy.Azure)]
    [InlineData(HygienePolicy.Metal)]
    public void a_quiet_machine_has_nothing_to_fix(HygienePolicy policy)
    {
        var findings = Judge(policy);

        findings.ShouldAllBe(finding => finding.Severity == HygieneSeverity.Ok || finding.Severity == HygieneSeverity.Record);
        findings.ShouldAllBe(finding => finding.Fix == null);
        findings.Select(finding => finding.Row).Distinct().ShouldBe(HygieneTable.Rows.Select(row => row.Number));
    }

    /// <summary>A row whose file it lacks is recorded as absent, which is no fault: nobody would have seen it judge a good value.</summary>
    [Fact]
    public void a_quiet_machine_has_a_value_for_every_row() =>
        Judge(HygienePolicy.Metal).GroupBy(finding => finding.Row)
            .Where(row => row.Any(finding => finding.Value == MachineFiles.Absent)).Select(row => row.Key)
            .ShouldBe([35], "announced maintenance is Azure's to tell; for every other row FakeMachine has a good value");

    [Theory]
    [InlineData("/proc/swaps", "Filename Type Size Used Priority\n/swap file 2097152 0 -2\n", 16, "2048 MiB", "swapoff")]
    [InlineData("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n", 18, "hpet", "clocksource=tsc")]
    [InlineData("/proc/loadavg", "1.50 0 0 1/1 1\n", 28, "1.50 on 4 cores", "top")]
    [InlineData("/proc/sys/kernel/random/boot_id", "x", 2, "unknown", "restart")]
    public void what_is_wrong_is_refused_by_a_lab_and_a_warning_elsewhere(string path, string text, int row, string value, string fix)
    {
        machine.Write(path, text);

        foreach (var policy in new[] { HygienePolicy.Any, HygienePolicy.Azure, HygienePolicy.Metal })
        {
            var finding = Judge(policy).First(finding => finding.Row == row && finding.Fix is not null);
            finding.Severity.ShouldBe(policy == HygienePolicy.Any ? HygieneSeverity.Warn : HygieneSeverity.Refuse);
            finding.Value.ShouldBe(value);
            finding.Fix!.ShouldContain(fix);
        }
    }

    [Theory]
    [InlineData("/proc/swaps", "Filename Type Size Used Priority\n/swap file 2097152 0 -2\n", 16, HygieneSeverity.Record)]
    [InlineData("/proc/sys/kernel/randomize_va_space", "0\n", 13, HygieneSeverity.Record)]
    [InlineData("/etc/systemd/system/apt-daily.timer", "[Timer]\n", 29, HygieneSeverity.Record)]
    [InlineData("/proc/loadavg", "1.50 0 0 1/1 1\n", 28, HygieneSeverity.Warn)]
    [InlineData("/proc/stat", "cpu 100 0 100 700 0 0 0 100 0 0\n", 20, HygieneSeverity.Warn)]
    public void on_githubs_runner_a_setting_is_recorded_and_what_it_does_meanwhile_is_said(string path, string text, int row, HygieneSeverity severity)
    {
        machine.Write(path, text);

        var findings = Judge(HygienePolicy.Hosted);
        findings.Where(finding => finding.Row == row).Max(finding => finding.Severity).ShouldBe(severity);
        findings.ShouldAllBe(finding => finding.Severity != HygieneSeverity.Refuse);
        findings.ShouldAllBe(finding => (finding.Fix != null) == (finding.Severity == HygieneSeverity.Warn));
    }

    [Fact]
    public void the_hypervisors_page_is_a_good_clock_on_azure_and_none_on_metal()
    {
        machine.Write("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hyperv_clocksource_tsc_page\n");

        Row(HygienePolicy.Azure, 18).Severity.ShouldBe(HygieneSeverity.Ok);
        Row(HygienePolicy.Metal, 18).Severity.ShouldBe(HygieneSeverity.Refuse);
    }

    [Theory]
    [InlineData("Linux version 5.15.0 (x)", "docker", HygieneSeverity.Refuse)]
    [InlineData("Linux version 5.15.0 (x)", "process", HygieneSeverity.Ok)]
    [InlineData("Linux version 5.16.0-rc1 (x)", "docker", HygieneSeverity.Ok)]
    [InlineData("Linux version 10.1 (x)", "docker", HygieneSeverity.Ok)]
    [InlineData("Linux version x.y (x)", "docker", HygieneSeverity.Ok)]
    public void an_old_kernel_is_refused_for_containers(string version, string executor, HygieneSeverity severity)
    {
        machine.Write("/proc/version", version);

        Judge(HygienePolicy.Azure, executor).Single(finding => finding.Name == "kernel").Severity.ShouldBe(severity);
    }

    [Fact]
    public void a_full_disk_is_refused()
    {
        var facts = MachineFacts.Read(machine.Files, new FakeClocks(), new DiskSpace(FreeBytes: 19L << 30, TotalBytes: 100L << 30));
        var finding = HygieneJudge.Judge(facts, HygienePolicy.Metal).Single(finding => finding.Name == "disk");

        (finding.Severity, finding.Value).ShouldBe((HygieneSeverity.Refuse, "19.0 GiB free (19 %)"));
        finding.Fix!.ShouldContain("perf-lab clean");
    }

    [Fact]
    public void steal_is_a_warning_with_its_share()
    {
        machine.Write("/proc/stat", "cpu  100 0 100 9700 0 0 0 100 0 0\n");

        var finding = Row(HygienePolicy.Azure, 20);
        (finding.Severity, finding.Value).ShouldBe((HygieneSeverity.Warn, "1 % since boot"));
    }

    [Fact]
    public void an_empty_record_of_another_lab_can_be_judged() =>
        HygieneJudge.Judge([], HygienePolicy.Any)[0].Value.ShouldBe("unknown");

    [Fact]
    public void a_record_with_other_types_can_be_judged()
    {
        var facts = new JsonObject { ["cpu"] = "x", ["load"] = "high", ["swapKiB"] = new JsonArray(), ["disk"] = 3, ["kernel"] = 1 };

        Should.NotThrow(() => HygieneJudge.Judge(facts, HygienePolicy.Metal));
    }

    private HygieneFinding Row(HygienePolicy policy, int row, string executor = "docker") => Judge(policy, executor).First(finding => finding.Row == row);

    private IReadOnlyList<HygieneFinding> Judge(HygienePolicy policy, string executor = "docker") => HygieneJudge.Judge(
        MachineFacts.Read(machine.Files, new FakeClocks(), new DiskSpace(50L << 30, 100L << 30), new JsonObject { ["executor"] = executor }), policy);
}
