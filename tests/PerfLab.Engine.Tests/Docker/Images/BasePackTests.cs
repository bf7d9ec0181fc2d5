using System.Formats.Tar;
using System.Security.Cryptography;
using PerfLab.Launching.Docker.Images;

namespace PerfLab.Engine.Tests.Docker.Images;

/// <summary>Bases that came with the builds. Needs no engine. Written as BasePack writes them; the real way is walked by tests/workflows/flow/machine.test.ts.</summary>
public sealed class BasePackTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("perf-lab-bases-").FullName;
    private readonly byte[] _base = [.. Enumerable.Range(0, 200_000).Select(number => (byte)number)];

    private string File_ => Path.Combine(_folder, "bases.tar");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task What_came_is_taken_whatever_else_the_machine_keeps()
    {
        Write((Name("minimal"), _base), (Name("shell"), _base));
        Directory.CreateDirectory(Path.Combine(_folder, "bases"));
        await File.WriteAllTextAsync(Path.Combine(_folder, "bases", new DebianPackages().FileName(BaseKind.Minimal)), "an older one");
        var taken = await GetAsync(BaseKind.Minimal);
        (await File.ReadAllBytesAsync(taken.TarPath)).ShouldBe(_base);
        taken.DiffId.ShouldBe("sha256:" + Digest(_base));
    }

    [Fact]
    public async Task Another_pack_of_the_same_name_is_another_base()
    {
        Write((Name("shell"), _base));
        await GetAsync(BaseKind.Shell);
        byte[] other = [.. _base.Reverse()];
        Write((Name("shell", other), other));
        (await GetAsync(BaseKind.Shell)).DiffId.ShouldBe("sha256:" + Digest(other));
    }

    [Fact]
    public async Task Another_digest_is_refused()
    {
        byte[] other = [.. _base, 1];
        Write((Name("minimal"), other));
        (await RefusedAsync(BaseKind.Minimal)).ShouldBe($"its base is not the one that its name says: its SHA-256 is {Digest(other)}, not {Digest(_base)}.");
    }

    [Fact]
    public async Task Another_architecture_is_refused()
    {
        Write((Name("minimal").Replace("amd64", "arm64", StringComparison.Ordinal), _base));
        (await RefusedAsync(BaseKind.Minimal)).ShouldBe("its base is for arm64, and this machine is amd64.");
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(512)]
    [InlineData(100_000)]
    [InlineData(200_511)]
    public async Task A_cut_pack_is_refused(int length)
    {
        Write((Name("minimal"), _base));
        await using (var file = new FileStream(File_, FileMode.Open))
        {
            file.SetLength(length);
        }

        // At the edge of a block .NET's reader takes the rest for the end of the file.
        var why = await RefusedAsync(BaseKind.Minimal);
        (why.StartsWith("it is no pack of bases, or is cut: ", StringComparison.Ordinal) || why.StartsWith("its base is not the one", StringComparison.Ordinal)
            || (length == 0 && why == "it holds no base of the kind minimal.")).ShouldBeTrue(why);
        Directory.EnumerateFiles(Path.Combine(_folder, "bases")).ShouldBeEmpty();
    }

    [Fact]
    public async Task A_pack_that_is_not_there_or_none_or_without_the_kind_is_refused()
    {
        (await RefusedAsync(BaseKind.Shell)).ShouldStartWith("it is no pack of bases, or is cut: Could not find file");
        await File.WriteAllBytesAsync(File_, _base);
        (await RefusedAsync(BaseKind.Shell)).ShouldStartWith("it is no pack of bases, or is cut: ");
        Write((Name("minimal"), _base));
        (await RefusedAsync(BaseKind.Shell)).ShouldBe("it holds no base of the kind shell.");
        Write(("../minimal.tar", _base));
        (await RefusedAsync(BaseKind.Minimal)).ShouldStartWith("an entry of it is no base: ");
    }

    private Task<BaseImage> GetAsync(BaseKind kind) => new BaseImages(_folder, new BasePack(File_)).GetAsync(kind, CancellationToken.None);

    private async Task<string> RefusedAsync(BaseKind kind)
    {
        var refusal = await Should.ThrowAsync<BaseImageMissingException>(GetAsync(kind));
        refusal.DoNext.ShouldContain("build plan.json --bases bases.tar");
        var start = $"The pack of bases {File_} is refused: ";
        refusal.CameBack.ShouldStartWith(start);
        return refusal.CameBack[start.Length..];
    }

    private string Name(string kind, byte[]? content = null) => $"{kind}-amd64-{Digest(content ?? _base)}.tar";

    private static string Digest(byte[] content) => Convert.ToHexStringLower(SHA256.HashData(content));

    private void Write(params (string Name, byte[] Content)[] entries)
    {
        using var file = File.Create(File_);
        using var tar = new TarWriter(file, TarEntryFormat.Gnu);
        foreach (var (name, content) in entries)
        {
            tar.WriteEntry(TarEntries.File(name, new MemoryStream(content)));
        }
    }
}
