using System.Formats.Tar;
using System.Text;
using System.Text.Json.Nodes;
using PerfLab.Building;
using PerfLab.Launching.Docker.Images;

namespace PerfLab.Engine.Tests.Docker.Images;

/// <summary>What may be wrong with an image archive from a machine that ran strangers' code. No engine is needed to refuse it.</summary>
public sealed class ImageArchiveTests : IDisposable
{
    private const string Identity = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    private readonly string _folder = Directory.CreateTempSubdirectory("perf-lab-archive-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task An_archive_of_our_form_is_taken_and_copied_byte_by_byte()
    {
        var (path, build) = Write(Config(Layer(), Layer("other")), Layer(), Layer("other"));
        ImageArchive.Check(path, build);
        using var copy = new MemoryStream();
        var diffIds = await ImageArchive.CopyAsync(path, build.Image!, copy, CancellationToken.None);
        diffIds.ShouldBe([DigestOf(Layer()), DigestOf(Layer("other"))]);
        copy.ToArray().ShouldBe(await File.ReadAllBytesAsync(path, TestContext.Current.CancellationToken));
    }

    [Fact]
    public void A_layer_that_is_there_twice_travels_once()
    {
        var (path, build) = Write(Config(Layer(), Layer()), Layer());
        ImageArchive.Check(path, build);
    }

    [Fact]
    public void An_image_of_another_digest_is_refused()
    {
        var (path, build) = Write(Config(Layer()), Layer());
        var other = build with { Image = "sha256:" + new string('a', 64) };
        Should.Throw<InvalidDataException>(() => ImageArchive.Check(path, other)).Message.ShouldContain("something else, or more than is taken");
        var bytes = File.ReadAllBytes(path);
        bytes[bytes.AsSpan().IndexOf("amd64"u8)] ^= 1;
        File.WriteAllBytes(path, bytes);
        Should.Throw<InvalidDataException>(() => ImageArchive.Check(path, build)).Message.ShouldContain($"and the build names {build.Image}");
    }

    [Fact]
    public void A_layer_of_another_digest_is_refused()
    {
        var (path, build) = Write(Config(Layer("one text")), Layer("two text"), name: DigestOf(Layer("one text")));
        Should.Throw<InvalidDataException>(() => ImageArchive.Check(path, build)).Message.ShouldContain("a layer of the image has the digest");
    }

    [Theory]
    [InlineData("architecture", "\"arm64\"", "linux/arm64")]
    [InlineData("os", "\"windows\"", "windows/amd64")]
    [InlineData("rootfs", """{"type":"layers","diff_ids":[]}""", "no layers")]
    [InlineData("rootfs", """{"type":"layers"}""", "no layers")]
    [InlineData("rootfs", """{"type":"layers","diff_ids":["sha256:../../../etc"]}""", "without a digest")]
    [InlineData("rootfs", "7", "can't be read")]
    [InlineData("rootfs", "null", "can't be read")]
    [InlineData("config", """{"Volumes":{"/data":{}}}""", "declares a volume")]
    [InlineData("config", """{"Labels":{"perf-lab.build":"sha256:1"}}""", "perf-lab.build of another build")]
    [InlineData("config", "{\"Labels\":{\"perf-lab.build\":\"" + Identity + "\",\"perf-lab.run\":\"imitated\"}}", "perf-lab.run of another build")]
    [InlineData("config", "{\"Labels\":{\"perf-lab.build\":\"" + Identity + "\",\"perf-lab.owner\":\"1\"}}", "perf-lab.owner of another build")]
    [InlineData("config", "{\"Labels\":{\"perf-lab.build\":\"" + Identity + "\",\"perf-lab.base\":\"sha256:1\"}}", "perf-lab.base of another build")]
    [InlineData("config", "{}", "does not say whose build it is")]
    [InlineData("config", "null", "does not say whose build it is")]
    public void A_configuration_that_is_none_of_ours_is_refused(string member, string value, string told)
    {
        var config = Config(Layer());
        config[member] = JsonNode.Parse(value);
        var (path, build) = Write(config, Layer());
        Should.Throw<InvalidDataException>(() => ImageArchive.Check(path, build)).Message.ShouldContain(told);
    }

    [Fact]
    public void Too_many_layers_are_refused()
    {
        var config = Config(Layer());
        config["rootfs"]!["diff_ids"] = new JsonArray([.. Enumerable.Range(0, 128).Select(_ => (JsonNode)DigestOf(Layer()))]);
        var (path, build) = Write(config, Layer());
        Should.Throw<InvalidDataException>(() => ImageArchive.Check(path, build)).Message.ShouldContain("more than 127");
    }

    [Fact]
    public void A_configuration_that_is_too_large_is_refused_unread()
    {
        var config = Config(Layer());
        config["padding"] = new string('x', 1 << 20);
        var (path, build) = Write(config, Layer());
        Should.Throw<InvalidDataException>(() => ImageArchive.Check(path, build)).Message.ShouldContain("more than is taken");
    }

    [Theory]
    [InlineData(null, "its end where manifest.json is due")]
    [InlineData("""[{"Config":"x.json","RepoTags":["debian:latest"],"Layers":[]}]""", "manifest is not the one")]
    [InlineData("", "manifest is not the one")]
    public void A_manifest_that_says_anything_of_its_own_is_refused(string? manifest, string told)
    {
        var (path, build) = Write(Config(Layer()), [Layer()], manifest);
        Should.Throw<InvalidDataException>(() => ImageArchive.Check(path, build)).Message.ShouldContain(told);
    }

    [Theory]
    [InlineData(TarEntryType.SymbolicLink)]
    [InlineData(TarEntryType.HardLink)]
    [InlineData(TarEntryType.Fifo)]
    [InlineData(TarEntryType.Directory)]
    public void An_entry_that_is_no_file_is_refused(TarEntryType type)
    {
        var path = Path.Combine(_folder, "bad.tar");
        var image = "sha256:" + new string('b', 64);
        using (var tar = new TarWriter(File.Create(path), TarEntryFormat.Gnu))
        {
            var entry = TarEntries.Make(type, new string('b', 64) + ".json", TarEntries.Readable);
            if (type is TarEntryType.SymbolicLink or TarEntryType.HardLink)
            {
                entry.LinkName = "/etc/passwd";
            }

            tar.WriteEntry(entry);
        }

        Should.Throw<InvalidDataException>(() => ImageArchive.Check(path, Of(image)));
    }

    [Fact]
    public void A_layer_that_promises_more_than_it_holds_is_refused()
    {
        using var bytes = new MemoryStream();
        using (var tar = new TarWriter(bytes, TarEntryFormat.Pax, leaveOpen: true))
        {
            tar.WriteEntry(new PaxTarEntry(TarEntryType.RegularFile, "large", [new("GNU.sparse.major", "1"), new("GNU.sparse.minor", "0"), new("GNU.sparse.realsize", "8796093022208")]) { DataStream = new MemoryStream(new byte[512]) });
        }

        var (path, build) = Write(Config(bytes.ToArray()), bytes.ToArray());
        Should.Throw<InvalidDataException>(() => ImageArchive.Check(path, build)).Message.ShouldContain("sparse");
    }

    [Fact]
    public void An_archive_with_random_damage_is_taken_or_refused_and_never_half_read()
    {
        var (path, build) = Write(Config(Layer()), Layer());
        var whole = File.ReadAllBytes(path);
        var refused = 0;
        for (var seed = 0; seed < 300; seed++)
        {
            var random = new Random(seed);
            var bytes = whole[..(seed % 3 == 0 ? random.Next(whole.Length) : whole.Length)];
            for (var changes = random.Next(4); changes >= 0 && bytes.Length > 0; changes--)
            {
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            }

            File.WriteAllBytes(path, bytes);
            try
            {
                ImageArchive.Check(path, build);
            }
            catch (Exception refusal) when (refusal is InvalidDataException or IOException or FormatException or ArgumentException)
            {
                refused++;
            }
        }

        refused.ShouldBeGreaterThan(150);
    }

    private static Build Of(string image) => new(Identity, "/nowhere", NeedsShell: false, image);

    private static string DigestOf(byte[] bytes) => ImageConfig.DigestOf(bytes);

    private static byte[] Layer(string text = "a file")
    {
        using var bytes = new MemoryStream();
        using (var tar = new TarWriter(bytes, TarEntryFormat.Gnu, leaveOpen: true))
        {
            tar.WriteEntry(TarEntries.Text("app/data.txt", text));
        }

        return bytes.ToArray();
    }

    private static JsonObject Config(params byte[][] layers) => new()
    {
        ["architecture"] = "amd64",
        ["os"] = "linux",
        ["config"] = new JsonObject { ["Labels"] = new JsonObject { ["perf-lab.build"] = Identity, ["perf-lab.run"] = "", ["maintainer"] = "somebody" } },
        ["rootfs"] = new JsonObject { ["type"] = "layers", ["diff_ids"] = new JsonArray([.. layers.Select(layer => (JsonNode)DigestOf(layer))]) },
    };

    private (string Path, Build Build) Write(JsonObject config, params byte[][] layers) =>
        Write(config, layers, ArchiveForm.Manifest(DigestOf(Encoding.UTF8.GetBytes(config.ToJsonString())), DiffIds(config)));

    private (string Path, Build Build) Write(JsonObject config, byte[] layer, string name) =>
        Write(config, [layer], ArchiveForm.Manifest(DigestOf(Encoding.UTF8.GetBytes(config.ToJsonString())), DiffIds(config)), name);

    private (string Path, Build Build) Write(JsonObject config, byte[][] layers, string? manifest, string? name = null)
    {
        var bytes = Encoding.UTF8.GetBytes(config.ToJsonString());
        var path = Path.Combine(_folder, ImageArchive.FileName);
        using (var tar = new TarWriter(File.Create(path), TarEntryFormat.Gnu))
        {
            tar.WriteEntry(TarEntries.File(ArchiveForm.ConfigName(DigestOf(bytes)), new MemoryStream(bytes)));
            foreach (var layer in layers)
            {
                tar.WriteEntry(TarEntries.File(ArchiveForm.LayerName(name ?? DigestOf(layer)), new MemoryStream(layer)));
            }

            if (manifest is not null)
            {
                tar.WriteEntry(TarEntries.Text(ArchiveForm.ManifestName, manifest));
            }
        }

        return (path, Of(DigestOf(bytes)));
    }

    // What is no list of digests has no manifest of its own: it is refused long before.
    private static IReadOnlyList<string> DiffIds(JsonObject config) =>
        config["rootfs"] is JsonObject root && root["diff_ids"] is JsonArray list ? [.. list.Select(one => (string)one!).Where(one => one.Length == 71)] : [];
}
