using System.ComponentModel.DataAnnotations;
using System.Security.Cryptography;
using PerfLab.Building.Changes;
using PerfLab.Building.Tools;
using PerfLab.Core.Files;

namespace PerfLab.Launching.Proof;

/// <summary>
/// What benchmarks ran, kept with the build that it is true of: the next session of the same bits need not launch it for that.
/// </summary>
/// <param name="folder">Absolute path, e.g. <c>.perf-lab/touches</c>; made when missing. Null: nothing is kept.</param>
public sealed class TouchStore(string? folder)
{
    /// <summary>A part of every key: raise it when a list would be read or named otherwise.</summary>
    private const string Version = "1";

    /// <summary>They differ from launch to launch and decide nothing.</summary>
    private static readonly string[] OfTheLaunch = ["PERF_LAB_NONCE", "PERF_LAB_PAD"];

    /// <summary>The build, and all that a launch of it is told.</summary>
    public static string KeyOf(LaunchSpec spec)
    {
        var told = spec.Environment.Where(pair => !OfTheLaunch.Contains(pair.Key, StringComparer.Ordinal)).Select(pair =>
            $"{pair.Key}={pair.Value}");
        var text = string.Join('\0', [Version, spec.Build.Identity, .. spec.Command, .. told]);
        return Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)));
    }

    /// <summary>The folder for it in a lab's store.</summary>
    public static string In(string store) => Path.Combine(store, "touches");

    public JitList? Find(string key)
    {
        try
        {
            // A store is a cache: what can't be read is launched again.
            return folder is not null && File.Exists(Of(key)) && KeptList.File.Read(File.ReadAllBytes(Of(key))).Value is { } kept
                && kept.Key == key
                ? new(kept.Methods.ToHashSet(StringComparer.Ordinal), null) : null;
        }
        catch (Exception unreadable) when (unreadable is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    public void Keep(string key, JitList list)
    {
        if (folder is not null)
        {
            WholeFile.Write(Of(key), KeptList.File.Write(new(key, [.. list.Methods.Order(StringComparer.Ordinal)])));
        }
    }

    private string Of(string key) => Path.Combine(folder!, key + ".json");
}

/// <param name="Methods">"[Lib]Ns.Type::Name(Int32):Void".</param>
internal sealed record KeptList([RegularExpression("^[0-9a-f]{64}$")] string Key, IReadOnlyList<string> Methods)
{
    public static FileFormat<KeptList> File { get; } = new("", "a kept list of methods") { IsForeign = true, MostBytes = 16 << 20 };
}
