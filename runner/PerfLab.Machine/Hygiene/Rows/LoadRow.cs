using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>What else is at work. The busy share is watched for half a second just before (<see cref="OtherLoad"/>); the load average of the last minute
/// still holds what the lab itself built, so it only judges where nobody watched.</summary>
internal sealed class LoadRow() : HygieneRow(28)
{
    /// <summary>Share of the workloads' cores that others may take.</summary>
    public const double Most = 0.05;

    private const string Fix = "something else is at work; see `top`, stop it, wait a minute";

    public override void Read(MachineScan scan, JsonObject facts)
    {
        facts["load"] = scan.Fact("/proc/loadavg", text => KernelText.Load(text));
        facts["users"] = scan.Files.Exists("/run/systemd/sessions")
            ? JsonValue.Create((long)scan.Files.Names("/run/systemd/sessions").Count(name => !name.EndsWith(".ref", StringComparison.Ordinal)))
            : JsonValue.Create(MachineFiles.Absent);
    }

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        var load = facts.Number("load");
        var value = load is { } mean ? $"{In(mean, "0.00")} on {facts.Cores} {(facts.Cores == 1 ? "core" : "cores")}" : facts.Text("load");
        if (facts.Has("busyShare"))
        {
            var busy = facts.Number("busyShare");
            yield return Judged("other load, just before", busy is { } share ? In(share * 100, "0.0") + " % of the cores for workloads" : facts.Text("busyShare"),
                busy is null or <= Most, (Penalty.Refuse, Fix, policy));
            yield return Recorded("load average, last minute", value);
        }
        else
        {
            yield return Judged("other load", value, load is not { } runnable || runnable / facts.Cores <= Most, (Penalty.Refuse, Fix, policy));
        }

        yield return Recorded("people logged in", facts.Text("users"));
    }

    private static string In(double value, string format) => value.ToString(format, CultureInfo.InvariantCulture);
}
