using PerfLab.Core.Files;

namespace PerfLab.Machine.Watching;

/// <summary>This machine, as Azure's metadata service describes it; hostile for all we know.</summary>
public sealed record AzureCompute(
    string? Name = null, string? ResourceId = null, string? Location = null, string? VmSize = null, string? VmId = null, IReadOnlyList<AzureTag>? TagsList = null)
{
    internal static FileFormat<AzureCompute> Format { get; } = new("", "a machine of Azure") { IsForeign = true };
}

public sealed record AzureTag(string Name, string Value);

/// <summary>A token of the machine's own identity.</summary>
internal sealed record MachineToken(string AccessToken, string? ExpiresIn = null)
{
    public static FileFormat<MachineToken> Format { get; } = new("", "a token") { IsForeign = true, Names = JsonNamingPolicy.SnakeCaseLower };
}
