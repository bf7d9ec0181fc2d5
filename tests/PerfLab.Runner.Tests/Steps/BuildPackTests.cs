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
    [InlineData("bits/pipe", TarEntryType.Fifo)]
    [InlineData("pipe", TarEntryType.RegularFile)]
    [InlineData("./builds.json", TarEntryType.RegularFile)]
    [InlineData("bits/../builds.json", TarEntryType.RegularFile)]
    [InlineData("bits/0123456789abcdef0123456789abcdef/../../outside", TarEntryType.RegularFile)]
    [InlineData("bits/0123456789abcdef0123456789abcdef//outside", TarEntryType.RegularFile)]
    [InlineData("bits/0123456789abcdef0123456789abcdef/out\0side", TarEntryType.RegularFile)]
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
    public async Task a_pack_without_a_member_of_its_index_names_it()
    {
        var plan = await _lab.PlanAsync();
        await BuildAsync("head");
        var bytes = await File.ReadAllBytesAsync(_lab.At("head.tar"), TestContext.Current.CancellationToken);
        bytes.AsSpan()[bytes.AsSpan().IndexOf("\"arms\""u8) + 1] = (byte)'A';
        await File.WriteAllBytesAsync(_lab.At("head.tar"), bytes, TestContext.Current.CancellationToken);
        Should.Throw<LabException>(() => BuildPack.Read(_lab.At("head.tar"), "head", _lab.At("there"), plan)).CameBack
            .ShouldBe("Arms: is not known here. Did you mean arms?; arms: is missing");
    }

    [Fact]
    public async Task a_pack_with_random_damage_is_read_or_refused()
    {
        var plan = await _lab.PlanAsync();
        await BuildAsync("head");
        var whole = await File.ReadAllBytesAsync(_lab.At("head.tar"), TestContext.Current.CancellationToken);
        var refused = 0;
        for (var seed = 0UL; seed < 200; seed++)
        {
            var random = new SeededRandom(seed);
            var bytes = whole[..(seed % 4 == 0 ? random.Next(whole.Length) : whole.Length)];
            for (var changes = random.Next(4); changes >= 0 && bytes.Length > 0; changes--)
            {
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            }

            // A damaged header is found by its sum, so that half of the damage would never get further.
            for (var at = 0; at + 512 <= bytes.Length; at += 512)
            {
                if (bytes.AsSpan(at + 257, 5).SequenceEqual("ustar"u8))
                {
                    var header = bytes.AsSpan(at, 512);
                    header[148..156].Fill((byte)' ');
                    var sum = 0;
                    foreach (var one in header)
                    {
                        sum += one;
                    }

                    System.Text.Encoding.ASCII.GetBytes(Convert.ToString(sum, 8).PadLeft(6, '0') + "\0 ").CopyTo(header[148..]);
                }
            }

            await File.WriteAllBytesAsync(_lab.At("bad.tar"), bytes, TestContext.Current.CancellationToken);
            try
            {
                BuildPack.Read(_lab.At("bad.tar"), "head", _lab.At("there" + seed), plan);
            }
            catch (LabException)
            {
                refused++;
            }
        }

        refused.ShouldBeGreaterThan(100);
    }

    [Fact]
    public async Task an_arm_that_does_not_build_is_packed_with_its_reason()
    {
        var plan = await _lab.PlanAsync();
        Directory.Delete(_lab.At("head/workloads"), recursive: true);
        (await BuildAsync("head")).Exit.ShouldBe(1);
        BuildPack.Read(_lab.At("head.tar"), "head", _lab.At("there"), plan)[("c001", "head")].Failure.ShouldNotBeNull().ShouldContain("does not exist. A commit from before it was added");
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
