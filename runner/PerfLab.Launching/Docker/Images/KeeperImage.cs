using System.Formats.Tar;
using System.Security.Cryptography;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker.Images;

/// <summary>
/// The image of a container that only holds something: one program of 129 bytes that sleeps until it is killed, on nothing. Kubernetes has
/// a "pause" container for the same reason; a workload's own image need not hold a program that sleeps.
/// </summary>
internal static class KeeperImage
{
    public const string Program = "/pause";

    /// <summary>What the label of builds says of it.</summary>
    public const string Identity = "perf-lab-keeper";

    // System call 34 of x86-64 is pause(2): it returns only for a signal that is handled, and none is.
    private static ReadOnlySpan<byte> Code => [0xb8, 34, 0, 0, 0, 0x0f, 0x05, 0xeb, 0xf7]; // mov eax, 34; syscall; jmp to the start

    private static readonly byte[] Layer = MakeLayer();

    private static readonly string DiffId = Digest(Layer);

    private static readonly byte[] Config = Encoding.UTF8.GetBytes(new JsonObject
    {
        ["architecture"] = "amd64",
        ["os"] = "linux",
        ["created"] = "1970-01-01T00:00:00Z",
        ["config"] = new JsonObject { ["Entrypoint"] = new JsonArray(Program), ["Labels"] = new JsonObject { [Labels.Build] = Identity } },
        ["rootfs"] = new JsonObject { ["type"] = "layers", ["diff_ids"] = new JsonArray(DiffId) },
        ["history"] = new JsonArray(new JsonObject { ["created"] = "1970-01-01T00:00:00Z" }),
    }.ToJsonString());

    public static string Id { get; } = Digest(Config);

    public static IReadOnlyList<string> DiffIds { get; } = [DiffId];

    public static async Task WriteArchiveAsync(Stream destination, CancellationToken cancellationToken)
    {
        await using var tar = new TarWriter(destination, TarEntryFormat.Gnu, leaveOpen: true);
        await ArchiveForm.WriteAsync(tar, (Id, Config), DiffIds, _ => new MemoryStream(Layer), cancellationToken);
    }

    private static byte[] MakeLayer()
    {
        using var bytes = new MemoryStream();
        using (var tar = new TarWriter(bytes, TarEntryFormat.Gnu, leaveOpen: true))
        {
            tar.WriteEntry(TarEntries.File(Program[1..], new MemoryStream(Elf()), TarEntries.Executable));
        }

        return bytes.ToArray();
    }

    /// <summary>The least that the kernel takes for a program: elf(5), one header and one loaded segment.</summary>
    private static byte[] Elf()
    {
        const ulong address = 0x400000;
        const ushort header = 64, segment = 56;
        using var bytes = new MemoryStream();
        using var elf = new BinaryWriter(bytes);
        elf.Write([0x7f, (byte)'E', (byte)'L', (byte)'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]); // 64 bit, little endian, version 1
        elf.Write((ushort)2); // an executable
        elf.Write((ushort)62); // for x86-64
        elf.Write(1u);
        elf.Write(address + header + segment); // where it begins
        elf.Write((ulong)header); // where the segments are described
        elf.Write(0UL);
        elf.Write(0u);
        foreach (var number in new ushort[] { header, segment, 1, 0, 0, 0 })
        {
            elf.Write(number);
        }

        elf.Write(1u); // loaded
        elf.Write(5u); // readable, executable
        elf.Write(0UL);
        elf.Write(address);
        elf.Write(address);
        elf.Write((ulong)(header + segment + Code.Length));
        elf.Write((ulong)(header + segment + Code.Length));
        elf.Write(0x1000UL);
        elf.Write(Code);
        return bytes.ToArray();
    }

    private static string Digest(byte[] bytes) => "sha256:" + Convert.ToHexStringLower(SHA256.HashData(bytes));
}
