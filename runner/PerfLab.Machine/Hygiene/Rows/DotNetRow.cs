using System.Runtime.InteropServices;
using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>.NET of the runner. The runtime that is measured is in each launch's evidence, and held against the plan and the other arms there.</summary>
internal sealed class DotNetRow() : HygieneRow(32)
{
    public override IReadOnlyList<string> Constant => ["dotnet.processors"];

    public override void Read(MachineScan scan, JsonObject facts) => facts["dotnet"] = new JsonObject
    {
        ["runner"] = RuntimeInformation.FrameworkDescription,
        ["rid"] = RuntimeInformation.RuntimeIdentifier,
        ["processors"] = Environment.ProcessorCount,
        // Removed from every launch; named, because they change the runner itself.
        ["inherited"] = string.Join(", ", Environment.GetEnvironmentVariables().Keys.Cast<string>()
            .Where(name => name.StartsWith("DOTNET_", StringComparison.OrdinalIgnoreCase) || name.StartsWith("COMPlus_", StringComparison.OrdinalIgnoreCase))
            .Order(StringComparer.Ordinal).Take(32)) is { Length: > 0 } names ? names : "none",
    };

    public override IEnumerable<HygieneFinding> Judge(FactReader facts, HygienePolicy policy)
    {
        yield return Recorded(".NET of the runner", facts.Text("dotnet.runner"));
        yield return Recorded("DOTNET_* of the runner, kept from launches", facts.Text("dotnet.inherited"));
    }
}
