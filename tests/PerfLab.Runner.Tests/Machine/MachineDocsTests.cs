using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using PerfLab.Core.Model;
using PerfLab.Machine.Facts;
using PerfLab.Machine.Hygiene;
using PerfLab.Machine.Watching;

namespace PerfLab.Runner.Tests.Machine;

/// <summary>docs/machines.md and docs/internals/hygiene.md, the scripts that make a machine quiet, and the rows that check it say the same.</summary>
public sealed partial class MachineDocsTests
{
    private static readonly string Root = PerfLab.Core.Tests.Reporting.Support.Repository.Root;
    private static readonly string Docs = File.ReadAllText(Path.Combine(Root, "docs", "machines.md"));
    private static readonly string Limits = File.ReadAllText(Path.Combine(Root, "docs", "internals", "hygiene.md"));
    private static readonly string Quiet = File.ReadAllText(Path.Combine(Root, "infra", "machine", "files", "usr", "local", "lib", "perf-lab", "quiet"));
    private static readonly string Install = File.ReadAllText(Path.Combine(Root, "infra", "machine", "install.sh"));

    [Fact]
    public void every_row_of_the_program_is_a_row_of_the_table_and_the_other_way_round()
    {
        var documented = RowNumber().Matches(Docs).Select(match => int.Parse(match.Groups["text"].Value)).ToList();

        documented.ShouldBe(HygieneTable.Rows.Select(row => row.Number));
        documented.ShouldBe(Enumerable.Range(1, documented.Count));
        RowNumber().Matches(Limits).Select(match => int.Parse(match.Groups["text"].Value)).ShouldBe(documented);
    }

    [Fact]
    public void every_line_that_doctor_prints_is_found_in_the_table_under_its_name()
    {
        using var machine = new FakeMachine();
        machine.Write("/sys/devices/system/cpu/cpu5/cpu_capacity", "512\n");
        var facts = MachineFacts.Read(machine.Files, new FakeClocks(), new DiskSpace(50, 100, 5, 10));
        var findings = Enum.GetValues<HygienePolicy>().SelectMany(policy => HygieneJudge.Judge(facts, policy)).ToList();
        facts["busyShare"] = 0.01;
        facts["instance"] = new JsonObject { ["size"] = "big", ["location"] = "here", ["vmId"] = "1" };
        findings.AddRange(HygieneJudge.Judge(facts, HygienePolicy.Azure));
        findings.Select(finding => finding.Row).Distinct().Count().ShouldBeGreaterThan(HygieneTable.Rows.Count / 2);

        findings.Where(finding => !What(finding.Row).Contains(finding.Name, StringComparison.Ordinal)).Select(finding => $"{finding.Row}: {finding.Name}").Distinct().ShouldBeEmpty();
    }

    private static string What(int row) => Docs.Split('\n').Single(line => line.StartsWith($"| {row} |", StringComparison.Ordinal)).Split('|')[2].Replace("`", "");

    [Fact]
    public void what_must_stay_the_same_is_marked_so()
    {
        foreach (var row in HygieneTable.Rows)
        {
            var cells = Docs.Split('\n').Single(line => line.StartsWith($"| {row.Number} |", StringComparison.Ordinal)).Split('|');
            (cells[4].Trim() == "x").ShouldBe(row.Constant.Length > 0, $"row {row.Number}");
        }
    }

    [Fact]
    public void every_setting_that_the_lab_makes_is_explained()
    {
        var set = Write().Matches(Quiet).Select(match => (Value: match.Groups["value"].Value.Trim('"'), File: match.Groups["file"].Value.Trim('"').Split('/')[^1])).ToList();
        set.ShouldNotBeEmpty();
        foreach (var (value, file) in set)
        {
            var line = QuietLines().SingleOrDefault(line => line.Split('|')[1].Contains($"{file}` = ") || line.Split('|')[1].Contains($"/{file}` = "));
            line.ShouldNotBeNull($"docs/machines.md explains no {file}");
            line.Split('|')[1].ShouldContain($"= {(value == "$LAB_CPUS" ? "the lab's cores" : value)}");
            line.Split('|')[3].Trim().Length.ShouldBeGreaterThan(20, "the reason");
        }

        QuietLines().ShouldContain(line => line.StartsWith("| `swapoff`", StringComparison.Ordinal));
        foreach (var unit in new[] { "system.slice", "user.slice", "init.scope" })
        {
            Quiet.ShouldContain(unit);
            QuietLines().ShouldContain(line => line.Contains("AllowedCPUs") && line.Contains(unit));
        }
    }

    [Fact]
    public void every_setting_that_is_explained_is_made()
    {
        foreach (var setting in QuietLines().Select(line => Setting().Match(line.Split('|')[1])).Where(match => match.Success))
        {
            var file = setting.Groups["text"].Value.Split('/', '.')[^1];
            (Quiet + File.ReadAllText(Path.Combine(Root, "infra", "machine", "files", "etc", "sysctl.d", "60-perf-lab.conf"))).ShouldContain(file);
        }
    }

    [Fact]
    public void the_timers_that_doctor_looks_for_are_those_that_the_lab_masks()
    {
        var masked = TimerList().Match(Install).Groups["text"].Value.Split(' ', StringSplitOptions.RemoveEmptyEntries);

        OtherWorkRows.Timers.ShouldBe(masked);
        masked.ShouldAllBe(timer => Docs.Contains($"`{timer}`"));
    }

    [Fact]
    public void the_limits_in_the_text_are_those_of_the_program()
    {
        Limits.ShouldContain($"{HygieneWatch.MostClockStep.TotalMilliseconds} ms: a set clock");
        Limits.ShouldContain($"{TimeRows.MostSteal * 100:0.0} % of all processor time");
        Limits.ShouldContain($"{HygieneWatch.MostMemoryStall * 100:0.0} %, {HygieneWatch.MostDiskStall * 100:0} % of the launch");
        Limits.ShouldContain($"less the launch's own processor time | {Preemption.Most * 100:0} % of their time | `metal`: void; `azure`: warning | warning |");
        Preemption.Most.ShouldBe(new Policy().Margin, "the reason that the text gives");
        Limits.ShouldContain($"{SelfTestFigures.MostDrift * 100:0} % off this machine's own history");
        Limits.ShouldContain($"with fewer than {SelfTestHistory.Least}, the session's first");
        Limits.ShouldContain($"{BlockWatch.Frequency.Least} to {BlockWatch.Frequency.Most} of the nominal one");
        Limits.ShouldContain($"{BlockWatch.MostInterrupts} a second and core");
        Limits.ShouldContain($"±{CoolDown.MostDegrees} °C");
        Docs.ShouldContain($"refuse above {OtherWorkRows.MostLoad * 100:0} %");
        Docs.ShouldContain($"refuse below {DiskSpace.LeastFreeShare * 100:0} % free");
        Limits.ShouldContain($"{SelfTest.FewRepeats} times each between blocks and {SelfTest.ManyRepeats} times in `doctor`");
        Limits.ShouldContain($"sleeps {PauseWatch.Tick.TotalMilliseconds} ms at a time");
        Docs.ShouldContain($"warn above {TimeRows.LongestPause.TotalMilliseconds} ms");
        Limits.ShouldContain($"| {TimeRows.LongestPause.TotalMilliseconds} ms: the host paused");
        Limits.ShouldContain($"waits, at most {BlockReadings.MostWait.TotalMinutes} minutes");
        Limits.ShouldContain(ScheduledEventsNotice.DefaultFile);
        BlockWatch.Length.TotalMinutes.ShouldBe(2, "the text says two minutes");
    }

    private static IEnumerable<string> QuietLines() => Docs.Split('\n').SkipWhile(line => !line.StartsWith("## How to make", StringComparison.Ordinal)).TakeWhile(line => !line.StartsWith("Not set", StringComparison.Ordinal))
        .Where(line => line.StartsWith("| `", StringComparison.Ordinal) || line.StartsWith("| masked", StringComparison.Ordinal) || line.StartsWith("| `AllowedCPUs", StringComparison.Ordinal));

    [GeneratedRegex(@"^\| (?<text>[0-9]+) \|", RegexOptions.Multiline, 1000)]
    private static partial Regex RowNumber();

    [GeneratedRegex(@"^ *write (?<value>\S+) (?<file>\S+)", RegexOptions.Multiline, 1000)]
    private static partial Regex Write();

    [GeneratedRegex(@"timers=\((?<text>[^)]*)\)", RegexOptions.None, 1000)]
    private static partial Regex TimerList();

    [GeneratedRegex(@"`(?<text>[^`]+)` = ", RegexOptions.None, 1000)]
    private static partial Regex Setting();
}
