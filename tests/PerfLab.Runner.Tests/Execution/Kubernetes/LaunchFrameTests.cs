using System.Text;
using System.Text.Json.Nodes;
using PerfLab.Launching;
using PerfLab.Kubernetes;

namespace PerfLab.Runner.Tests.Execution.Kubernetes;

/// <summary>The log of a pod is hostile input: a workload may print what it likes.</summary>
public sealed class LaunchFrameTests : IDisposable
{
    private const string Begin = "\n" + LaunchScript.Header + "\n";

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");

    public void Dispose() => folder.Delete(recursive: true);

    [Fact]
    public void files_and_what_the_kernel_counted_come_out_of_a_whole_frame()
    {
        var frame = Read($"hello\n{Begin}kernel /sys/fs/cgroup/cpu.stat {Base64("usage_usec 1500000\nnr_throttled 1\nthrottled_usec 250000\n")}\n"
            + $"kernel /sys/fs/cgroup/memory.peak {Base64("1048576\n")}\nkernel /proc/self/status {Base64("Cpus_allowed_list:\t2-3\nSeccomp:\t2\n")}\n"
            + $"kernel cpu {Base64("model name\t: Some CPU\n")}\nother link\nfile result.json 7\n{Base64("{\"a\":1}")}\n.\nfile empty 0\n.\nend 0\n");

        (frame.Damage, frame.Tail, frame.OutOfMemory).ShouldBe((null, "hello\n", false));
        frame.WriteTo(folder.FullName);
        Files().ShouldBe(["empty", "result.json"]);
        File.ReadAllText(Path.Combine(folder.FullName, "result.json")).ShouldBe("{\"a\":1}");
        var evidence = new JsonObject();
        frame.ReadInto(evidence);
        evidence["cpuSeconds"]!.GetValue<double>().ShouldBe(1.5);
        evidence["throttledSeconds"]!.GetValue<double>().ShouldBe(0.25);
        evidence["peakMemoryBytes"]!.GetValue<double>().ShouldBe(1048576);
        ((string?)evidence["cpus"], (string?)evidence["cpuModel"], (string?)evidence["inside"]!["seccomp"]).ShouldBe(("2-3", "Some CPU", "2"));
    }

    [Theory]
    [InlineData("kernel /sys/fs/cgroup/memory.events", "low 0\noom 1\noom_kill 1\n", true)]
    [InlineData("kernel /sys/fs/cgroup/memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n", true)]
    [InlineData("kernel /sys/fs/cgroup/memory.events", "oom 1\noom_kill 0\n", false)]
    public void a_process_that_the_kernel_ended_at_the_limit_is_seen(string line, string content, bool expected) =>
        Read($"{Begin}{line} {Base64(content)}\nend 0\n").OutOfMemory.ShouldBe(expected);

    [Fact]
    public void the_last_frame_counts_whatever_the_program_printed_before()
    {
        var frame = Read($"{Begin}file result.json 1\n{Base64("x")}\n.\nend 0\n{Begin}file result.json 1\n{Base64("y")}\n.\nend 0\n");
        frame.WriteTo(folder.FullName);
        File.ReadAllText(Path.Combine(folder.FullName, "result.json")).ShouldBe("y");
    }

    [Theory]
    [InlineData("file result.json 4\neHg=\n.\nend 0\n")] // shorter than it says
    [InlineData("file result.json 2\neHg=\n")] // cut
    [InlineData("file result.json 2\n***\n.\nend 0\n")]
    [InlineData("file ../evil 1\neA==\n.\nend 0\n")]
    [InlineData("file a/b 1\neA==\n.\nend 0\n")]
    [InlineData("file .. 0\n.\nend 0\n")]
    [InlineData("file a 1\neA==\n.\nfile a 1\neA==\n.\nend 0\n")]
    [InlineData("file a -1\n.\nend 0\n")]
    [InlineData("nonsense\n")]
    [InlineData("")]
    public void a_frame_that_is_cut_or_forged_is_damage_and_nothing_is_written_elsewhere(string text)
    {
        var frame = Read(Begin + text);
        frame.Damage.ShouldNotBeNull();
        frame.WriteTo(folder.FullName);
        Directory.GetFiles(folder.Parent!.FullName, "evil").ShouldBeEmpty();
        Files().ShouldAllBe(name => name == "a" || name == "result.json");
    }

    [Fact]
    public void a_sparse_file_has_no_content_and_a_length_that_is_refused()
    {
        Read(Begin + "big result.json 1099511627776\nend 0\n").WriteTo(folder.FullName);
        new FileInfo(Path.Combine(folder.FullName, "result.json")).Length.ShouldBe(LaunchScript.MostOfFile + 1);
    }

    [Theory]
    [InlineData(EndKind.Exited, 0, "", true, EndKind.Exited)]
    [InlineData(EndKind.Exited, 0, "", false, EndKind.KilledFromOutside)] // no frame: the log was lost
    [InlineData(EndKind.Exited, 3, "oh", true, EndKind.Exited)]
    [InlineData(EndKind.Exited, 137, "", true, EndKind.KilledFromOutside)]
    [InlineData(EndKind.Exited, 134, "Out of memory.\n", true, EndKind.OutOfMemory)]
    [InlineData(EndKind.Exited, 127, "env: ‘./x’: No such file or directory\n", true, EndKind.NotStarted)]
    [InlineData(EndKind.Exited, 127, "bash: x: command not found\n", true, EndKind.Exited)]
    [InlineData(EndKind.TimedOut, null, "", false, EndKind.TimedOut)]
    public void what_an_end_means_is_judged_with_the_log(EndKind how, int? code, string printed, bool framed, EndKind expected) =>
        PodVerdict.Judge(new(how, code, null), Read(printed + (framed ? Begin + "end 0\n" : ""))).How.ShouldBe(expected);

    private static LaunchFrame Read(string log) => LaunchFrame.Read(Encoding.UTF8.GetBytes(log));

    private static string Base64(string text) => Convert.ToBase64String(Encoding.UTF8.GetBytes(text));

    private IEnumerable<string> Files() => folder.GetFiles().Select(file => file.Name).Order(StringComparer.Ordinal);
}
