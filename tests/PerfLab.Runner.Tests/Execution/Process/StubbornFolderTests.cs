using System.Diagnostics;
using PerfLab.Launching;
using PerfLab.Runner.Tests.MachineContent;

namespace PerfLab.Runner.Tests.Execution.Processes;

/// <summary>Trees that a workload may leave, really made, and removed by root and by an ordinary user: this class once more, as nobody.</summary>
public sealed class StubbornFolderTests : IDisposable
{
    private const string AsUser = "PERF_LAB_TEST_AS_USER", Nobody = "65534";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("perf-lab-stubborn-");

    public void Dispose() => StubbornFolder.Remove(_folder.FullName);

    /// <summary>Among them a path that is longer than the kernel takes one: 600 folders, or 60 with longer names, which are sooner made.</summary>
    public static TheoryData<string> Left =>
    [
        "mkdir -p a/b/c; touch a/b/c/f; chmod 000 a/b/c a/b a",
        Deep(letters: 100, levels: 60),
        .. Nightly.IsAsked ? [Deep(letters: 10, levels: 600)] : Array.Empty<string>(),
        $"seq 1 {(Nightly.IsAsked ? 20_000 : 5_000)} | xargs touch; chmod 500 .",
        "mkfifo pipe; ln -s / root; ln -s .. up; touch -- '-rf' '--'",
    ];

    [Theory]
    [MemberData(nameof(Left))]
    public async Task whatever_a_workload_leaves_goes(string script)
    {
        var tree = Directory.CreateDirectory(Path.Combine(_folder.FullName, "tree"));
        var made = await Shell.RunAsync(new ProcessStartInfo("bash", ["-ec", script]) { WorkingDirectory = tree.FullName }, null);
        made.Exit.ShouldBe(0, made.Output);

        StubbornFolder.Remove(tree.FullName).ShouldBeTrue();

        Path.Exists(tree.FullName).ShouldBeFalse();
        Directory.Exists(_folder.FullName).ShouldBeTrue();
    }

    [Fact]
    public void a_link_in_its_place_goes_and_what_it_leads_to_stays()
    {
        var precious = Directory.CreateDirectory(Path.Combine(_folder.FullName, "precious"));
        File.WriteAllText(Path.Combine(precious.FullName, "file"), "");
        var link = Path.Combine(_folder.FullName, "link");
        File.CreateSymbolicLink(link, precious.FullName);

        StubbornFolder.Remove(link).ShouldBeTrue();

        File.Exists(Path.Combine(precious.FullName, "file")).ShouldBeTrue();
        StubbornFolder.Remove(link).ShouldBeTrue("what is not there is gone");
    }

    [Fact]
    public async Task what_belongs_to_another_user_is_named_and_the_rest_goes()
    {
        Assert.SkipUnless(Environment.GetEnvironmentVariable(AsUser) is not null, "started by the test below, as another user");
        var mine = Directory.CreateDirectory(Path.Combine(_folder.FullName, "mine"));
        await File.WriteAllTextAsync(Path.Combine(mine.FullName, "file"), "12345");

        var (removed, bytes, kept) = StubbornFolder.RemoveAll([mine.FullName, Environment.GetEnvironmentVariable(AsUser)!]);

        (removed, bytes).ShouldBe((1, 5));
        kept.ShouldBe([Environment.GetEnvironmentVariable(AsUser)!]);
    }

    [Fact]
    public async Task the_same_as_an_ordinary_user()
    {
        Nightly.Only("20 seconds");
        Shell.NeedRoot();
        Assert.SkipWhen(Environment.GetEnvironmentVariable(AsUser) is not null, "is that user");
        var others = Directory.CreateDirectory(Path.Combine(_folder.FullName, "home", "others")).FullName; // as an earlier perf-lab left them
        await File.WriteAllTextAsync(Path.Combine(others, "file"), "");
        foreach (var arguments in new[] { new[] { "chown", Nobody, Path.GetDirectoryName(others)! }, ["chown", "-R", "65532:65532", others], ["chmod", "000", others], ["chmod", "711", _folder.FullName] })
        {
            (await Shell.RunAsync(arguments[0], arguments[1..])).Exit.ShouldBe(0);
        }

        var result = await Shell.RunAsync(
            new ProcessStartInfo("setpriv", ["--reuid", Nobody, "--regid", Nobody, "--clear-groups", Environment.ProcessPath!, "-class", "*." + nameof(StubbornFolderTests)])
            {
                Environment = { [AsUser] = others, ["HOME"] = Path.GetDirectoryName(others), ["TMPDIR"] = Path.GetDirectoryName(others) },
            }, null);

        result.Exit.ShouldBe(0, result.Output);
        result.Output.ShouldContain("Failed: 0, Skipped: 1"); // this one
    }

    private static string Deep(int letters, int levels) => FormattableString.Invariant(
        $"name={new string('0', letters)}; i=0; while [ $i -lt {levels} ]; do mkdir $name; cd -P $name; i=$((i+1)); done; ")
        + "touch f; chmod 500 .";
}
