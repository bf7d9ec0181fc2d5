using System.Security.Cryptography;
using PerfLab.Building;
using PerfLab.Engine.Tests.Support;
using PerfLab.Launching.Docker.Images;

namespace PerfLab.Engine.Tests.Docker.Images;

public sealed class ImageTests(EngineFixture engine) : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("perf-lab-image-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task The_same_files_give_the_same_bytes_wherever_and_whenever_they_are_written()
    {
        var baseImage = SomeBase();
        var one = await ArchiveAsync(baseImage, SomeFiles("one", DateTime.UnixEpoch));
        var two = await ArchiveAsync(baseImage, SomeFiles("two", DateTime.UtcNow));
        two.Id.ShouldBe(one.Id);
        two.Archive.ShouldBe(one.Archive);
    }

    [Fact]
    public async Task Another_byte_or_another_execute_bit_is_another_image()
    {
        var baseImage = SomeBase();
        var original = await ArchiveAsync(baseImage, SomeFiles("one", DateTime.UnixEpoch));
        var changed = SomeFiles("two", DateTime.UnixEpoch);
        await File.AppendAllTextAsync(Path.Combine(changed, "data.txt"), "!");
        (await ArchiveAsync(baseImage, changed)).Id.ShouldNotBe(original.Id, StringComparer.Ordinal);
        var executable = SomeFiles("three", DateTime.UnixEpoch);
        File.SetUnixFileMode(Path.Combine(executable, "data.txt"), UnixFileMode.UserRead | UnixFileMode.UserExecute);

        (await ArchiveAsync(baseImage, executable)).Id.ShouldNotBe(original.Id, StringComparer.Ordinal);
    }

    [Fact]
    public async Task A_pipe_in_a_build_is_refused_by_name()
    {
        var files = SomeFiles("one", DateTime.UnixEpoch);
        using (var mkfifo = System.Diagnostics.Process.Start("mkfifo", Path.Combine(files, "pipe")))
        {
            await mkfifo.WaitForExitAsync();
        }

        var refusal = await Should.ThrowAsync<InvalidDataException>(ArchiveAsync(SomeBase(), files));
        refusal.Message.ShouldContain("pipe is not a regular file");
    }

    [Fact]
    public async Task The_engine_knows_the_image_by_the_id_that_we_computed_and_loads_it_once()
    {
        engine.Require();
        using var client = engine.Client();
        var bases = new BaseImages(EngineFixture.StoreFolder, new DebianPackages());
        var identity = "sha256:" + Guid.NewGuid().ToString("n");
        var build = new Build(identity, SomeFiles("one", DateTime.UnixEpoch), NeedsShell: true);
        using var expected = await WorkloadImage.MakeAsync(
            await bases.GetAsync(BaseKind.Shell, CancellationToken.None), build, Path.Combine(_folder, "layer"), CancellationToken.None);
        var store = new ImageStore(_folder, client, bases);
        try
        {
            (await store.EnsureAsync(build, CancellationToken.None)).ShouldBe(expected.Id);
            (await store.EnsureAsync(build with { Folder = SomeFiles("elsewhere", DateTime.UtcNow) }, CancellationToken.None)).ShouldBe(expected.Id);
            var image = (await client.ListImagesAsync("perf-lab.build=" + identity, CancellationToken.None)).ShouldHaveSingleItem();
            image.Tags.ShouldBe([ArchiveForm.Tag(expected.Id)]);
            Directory.EnumerateFiles(Path.Combine(_folder, "tmp")).ShouldBeEmpty();
        }
        finally
        {
            await client.RemoveImageAsync(expected.Id, CancellationToken.None);
        }
    }

    [Fact]
    public async Task A_base_image_that_the_engine_can_not_pull_is_said_with_its_reason()
    {
        engine.Require();
        using var client = engine.Client();
        var reference = "localhost:1/no/such@sha256:" + new string('0', 64);
        var missing = await Should.ThrowAsync<BaseImageMissingException>(
            new BaseImages(_folder, new PulledImage(client, reference)).GetAsync(BaseKind.Minimal, CancellationToken.None));
        missing.CameBack.ShouldStartWith($"The engine can't pull the base image {reference}: ");
    }

    private BaseImage SomeBase()
    {
        var path = Path.Combine(_folder, "base.tar");
        File.WriteAllBytes(path, new byte[10_240]); // an empty tar
        return new BaseImage(path, "sha256:" + Convert.ToHexStringLower(SHA256.HashData(new byte[10_240])));
    }

    private string SomeFiles(string name, DateTime time)
    {
        var folder = Directory.CreateDirectory(Path.Combine(_folder, name)).FullName;
        var longName = new string('n', 120);
        Directory.CreateDirectory(Path.Combine(folder, "sub", longName));
        foreach (var (file, text) in new[] { ("data.txt", "data"), ("b", "1"), ("B", "2"), (Path.Combine("sub", longName, "ü.txt"), "long") })
        {
            File.WriteAllText(Path.Combine(folder, file), text);
            File.SetLastWriteTimeUtc(Path.Combine(folder, file), time);
        }

        File.CreateSymbolicLink(Path.Combine(folder, "link"), "data.txt");
        return folder;
    }

    private async Task<(string Id, byte[] Archive)> ArchiveAsync(BaseImage baseImage, string files)
    {
        using var image = await WorkloadImage.MakeAsync(
            baseImage, new Build("sha256:x", files, NeedsShell: true), Path.Combine(_folder, Guid.NewGuid().ToString("n")), CancellationToken.None);
        using var archive = new MemoryStream();
        await image.WriteArchiveAsync(archive, CancellationToken.None);
        return (image.Id, archive.ToArray());
    }
}
