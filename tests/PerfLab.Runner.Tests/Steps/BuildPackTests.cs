using System.Formats.Tar;
using PerfLab.Core.Model;
using PerfLab.Runner.Sessions;

namespace PerfLab.Runner.Tests.Steps;

public sealed class BuildPackTests : IDisposable
{
    private readonly PullRequestLab _lab = new();

    [Fact]
    public async Task bits_built_on_one_machine_arrive_whole_on_another()
    {
        var plan = await _lab.PlanAsync();
        (await BuildAsync("head")).Exit.ShouldBe(0);
        Directory.Delete(_lab.At("repo/.perf-lab"), recursive: true);
        var builds = BuildPack.Read(_lab.At("head.tar"), "head", _lab.At("there"), plan);
        builds.Keys.ShouldBe([("c001", "head"), ("c002", "head")], ignoreOrder: true);
        var bits = builds[("c001", "head")].Build.ShouldNotBeNull().Folder;
        File.ReadAllText(Path.Combine(bits, "run.sh")).ShouldContain("echo new");
        bits.ShouldStartWith(_lab.At("there"));
    }

    [Fact]
    public async Task a_pack_can_not_speak_for_the_other_arm()
    {
        var plan = await _lab.PlanAsync();
        await BuildAsync("head");
        Should.Throw<LabException>(() => BuildPack.Read(_lab.At("head.tar"), "base", _lab.At("there"), plan)).CameBack.ShouldContain("arm 'base'");
    }

    [Fact]
    public async Task bits_that_were_changed_on_the_way_are_refused()
    {
        var plan = await _lab.PlanAsync();
        await BuildAsync("head");
        var text = (await File.ReadAllBytesAsync(_lab.At("head.tar"), TestContext.Current.CancellationToken)).AsSpan();
        text[text.IndexOf("echo new"u8)] = (byte)'E';
        File.WriteAllBytes(_lab.At("head.tar"), text);
        Should.Throw<LabException>(() => BuildPack.Read(_lab.At("head.tar"), "head", _lab.At("there"), plan)).CameBack.ShouldContain("identity");
    }

    [Theory]
    [InlineData("../outside", TarEntryType.RegularFile)]
    [InlineData("/tmp/outside", TarEntryType.RegularFile)]
    [InlineData("bits", TarEntryType.SymbolicLink)]
    [InlineData("bits", TarEntryType.HardLink)]
    [InlineData("pipe", TarEntryType.Fifo)]
    public async Task an_entry_that_leads_elsewhere_is_refused(string name, TarEntryType type)
    {
        var plan = await _lab.PlanAsync();
        await using (var tar = new TarWriter(File.Create(_lab.At("bad.tar")), TarEntryFormat.Pax))
        {
            var entry = new PaxTarEntry(type, name);
            if (type is TarEntryType.SymbolicLink or TarEntryType.HardLink)
            {
                entry.LinkName = "/etc";
            }

            await tar.WriteEntryAsync(entry, TestContext.Current.CancellationToken);
        }

        Should.Throw<LabException>(() => BuildPack.Read(_lab.At("bad.tar"), "head", _lab.At("there"), plan)).CameBack.ShouldContain("entry 1");
        File.Exists(_lab.At("outside")).ShouldBeFalse();
    }

    [Fact]
    public async Task an_arm_that_does_not_build_is_packed_with_its_reason()
    {
        var plan = await _lab.PlanAsync();
        Directory.Delete(_lab.At("head/workloads"), recursive: true);
        (await BuildAsync("head")).Exit.ShouldBe(1);
        BuildPack.Read(_lab.At("head.tar"), "head", _lab.At("there"), plan)[("c001", "head")].Failure.ShouldNotBeNull().ShouldContain("does not exist");
    }

    [Fact]
    public async Task an_unknown_arm_is_wrong_use()
    {
        await _lab.PlanAsync();
        var (exit, _, error) = await BuildAsync("haed");
        exit.ShouldBe(2);
        error.ShouldContain("Did you mean head?");
    }

    private Task<(int Exit, string Out, string Error)> BuildAsync(string arm) =>
        _lab.RunAsync("build", "plan.json", "--arm", arm, "--pack", arm + ".tar", "--executor", "process");

    public void Dispose() => _lab.Dispose();
}
