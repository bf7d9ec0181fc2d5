using System.ComponentModel.DataAnnotations;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Machine.Facts;

namespace PerfLab.Machine.SelfTests;

/// <summary>
/// What `doctor --lanes` measured last on this machine, kept for `measure --lanes`. It holds for one start of one machine: after another
/// the host, the kernel or a neighbour may be others.
/// </summary>
/// <param name="Machine">What the figures are of: <see cref="SelfTestHistory.Key(JsonObject)"/> and the boot.</param>
/// <param name="Time">In UTC.</param>
/// <param name="Cores">Those that were measured, in the kernel's list form.</param>
/// <param name="LabCores">Those that stay with the lab, in the kernel's list form; empty: none.</param>
/// <param name="Figures">The worst core for each number of busy cores and kind of work.</param>
public sealed record LaneRecord(
    string Machine, string Time, string Cores, string LabCores, [Length(0, 1000)] IReadOnlyList<LaneFigure> Figures)
{
    private static FileFormat<LaneRecord> Format { get; } =
        new("", "what doctor --lanes measured") { IsForeign = true, MostBytes = 1 << 20 };

    /// <summary>How many cores may be busy at once. The lab's own work needs one that is no lane's.</summary>
    public int Quiet => LaneTest.MostQuiet(Figures) is var most && LabCores.Length > 0 ? most
        : Math.Min(most, CpuList.TryParse(Cores, out var cores) ? cores.Count - 1 : 1);

    public static string FileIn(string store) => Path.Combine(store, "machine", "lanes.json");

    /// <summary>Which start of which machine figures are of.</summary>
    public static string MachineOf(JsonObject facts) => $"{SelfTestHistory.Key(facts)} | {new FactReader(facts).Text("bootId")}";

    /// <summary>Null when nothing was measured yet, or the file is damaged.</summary>
    public static LaneRecord? Read(string store) =>
        new MachineFiles().Text(Path.GetFullPath(FileIn(store)), Format.MostBytes) is { } text ? Format.Read(text).Value : null;

    /// <summary>Replaces what was measured before.</summary>
    /// <exception cref="LabException">The file can't be written.</exception>
    public void Write(string store)
    {
        var file = Path.GetFullPath(FileIn(store));
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(file)!);
            File.WriteAllText(file, Format.Write(this));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new LabException($"keeping what was measured of lanes in {file}", e.Message, "make its folder writable", e);
        }
    }
}
