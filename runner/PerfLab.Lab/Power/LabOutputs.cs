using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using PerfLab.Core.Files;

namespace PerfLab.Lab.Power;

/// <summary>lab.json as the program in infra/ puts it out.</summary>
/// <param name="Stack">Name of the Pulumi stack.</param>
/// <param name="ResourceGroup">Holds everything but a cluster's nodes.</param>
/// <param name="Location">Azure region.</param>
/// <param name="Shutdown">When Azure itself switches every machine off, every day.</param>
/// <param name="Identities">Who a job of the repository can be, each in one GitHub environment only.</param>
/// <param name="GithubApp">The App that registers runners.</param>
public sealed record LabOutputs(
    [RegularExpression("^[a-z][a-z0-9-]{0,30}$")] string Stack,
    [RegularExpression(LabOutputs.Guid, ErrorMessage = LabOutputs.GuidWords)] string TenantId,
    [RegularExpression(LabOutputs.Guid, ErrorMessage = LabOutputs.GuidWords)] string SubscriptionId,
    [RegularExpression("^[A-Za-z0-9._()-]{1,90}$")] string ResourceGroup,
    [RegularExpression("^[a-z0-9]{3,30}$")] string Location,
    OutputShutdown Shutdown,
    OutputIdentities Identities,
    OutputApp GithubApp,
    [MinLength(1)] IReadOnlyList<OutputMachine> Machines,
    OutputCluster? Cluster) : IChecked
{
    internal const string Guid = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", GuidWords = "an id of 32 hexadecimal digits in five groups";
    internal const string Name = "^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$", Size = "^Standard_[A-Za-z0-9_]+$";

    // Azure's services do not agree on the case of "resourceGroups".
    internal const string InGroup = "^/subscriptions/[0-9a-f-]{36}/resource[Gg]roups/[A-Za-z0-9._()-]{1,90}/providers/";

    public static FileFormat<LabOutputs> File { get; } =
        new("perf-lab/lab/1", "lab.json: the outputs of the Pulumi stack, read by the runner and the workflows; no secret in it") { MostBytes = 1 << 20, MayBeAbsent = MayBeAbsent };

    /// <summary>What is younger than the format.</summary>
    private static Func<object?, bool>? MayBeAbsent(JsonPropertyInfo member) => member.Name == "pricePerHour" ? value => value is not null : null;

    public IEnumerable<Problem> Problems()
    {
        var names = new HashSet<string>(StringComparer.Ordinal);
        var twice = Machines.Select((machine, index) => (machine, Where: Invariant($"machines[{index}].name"))).Where(one => !names.Add(one.machine.Name))
            .Select(one => new Problem(one.Where, $"another machine has the name {one.machine.Name} too: rename one")).ToList();
        return Cluster is null || names.Add(Cluster.Name) ? twice
            : [.. twice, new("cluster.name", $"a machine has the name \"{Cluster.Name}\" too: rename the machine")];
    }
}

/// <param name="Time">Local time, HHmm.</param>
/// <param name="TimeZone">A Windows time zone name.</param>
public sealed record OutputShutdown([RegularExpression("^([01][0-9]|2[0-3])[0-5][0-9]$", ErrorMessage = "a time, HHmm")] string Time, [Length(3, 100)] string TimeZone);

/// <param name="Power">Makes machines and deletes them.</param>
/// <param name="Sign">Signs with the GitHub App's key.</param>
/// <param name="Provision">Runs `pulumi up`.</param>
public sealed record OutputIdentities(OutputIdentity Power, OutputIdentity Sign, OutputIdentity Provision);

/// <param name="Environment">GitHub environment whose jobs may be this identity.</param>
public sealed record OutputIdentity([RegularExpression(LabOutputs.Guid, ErrorMessage = LabOutputs.GuidWords)] string ClientId, [Length(1, 255)] string Environment);

/// <param name="Key">Its key in the key vault, without a version: the newest is meant.</param>
public sealed record OutputApp(
    [AtLeast(1)] long Id,
    [AtLeast(1)] long Installation,
    [RegularExpression("^https://[a-z0-9-]{3,24}\\.vault\\.azure\\.net/keys/[A-Za-z0-9-]{1,127}$", ErrorMessage = "the address of a key in a key vault")] string Key);

/// <param name="Name">As in perf-lab.yaml.</param>
[JsonPolymorphic(TypeDiscriminatorPropertyName = "kind")]
[JsonDerivedType(typeof(OutputAzure), "azure")]
[JsonDerivedType(typeof(OutputMetal), "metal")]
public abstract record OutputMachine([property: RegularExpression(LabOutputs.Name, ErrorMessage = "a name of a-z, 0-9 and -")] string Name);

/// <param name="Size">Azure VM size.</param>
/// <param name="Id">Resource id.</param>
/// <param name="PricePerHour">By the stack's list of prices (infra/costs/prices.json); perf-lab.yaml's own goes first.</param>
internal sealed record OutputAzure(
    string Name,
    [RegularExpression(LabOutputs.Size, ErrorMessage = "an Azure VM size")] string Size,
    [RegularExpression(LabOutputs.InGroup + "Microsoft\\.Compute/virtualMachineScaleSets/[A-Za-z0-9._()-]+$", ErrorMessage = "the resource id of a scale set")] string Id,
    [AtLeast(0)] double? PricePerHour = null)
    : OutputMachine(Name);

/// <param name="Host">Host name or address.</param>
/// <param name="HostKey">Type and key, as after the name in known_hosts.</param>
internal sealed record OutputMetal(
    string Name,
    [Length(1, 255)] string Host,
    [Range(1, 65535)] int Port,
    [RegularExpression("^[a-z_][a-z0-9_-]{0,30}$", ErrorMessage = "a user's name")] string User,
    [RegularExpression("^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)) [A-Za-z0-9+/]+={0,2}$", ErrorMessage = "type and key")] string HostKey)
    : OutputMachine(Name);

/// <param name="Id">Resource id.</param>
/// <param name="Size">VM size of its nodes.</param>
/// <param name="Nodes">Most nodes in each of the two pools.</param>
/// <param name="Pools">Names of the node pools; nodes carry them in the label perf-lab/pool.</param>
public sealed record OutputCluster(
    [RegularExpression(LabOutputs.Name, ErrorMessage = "a name of a-z, 0-9 and -")] string Name,
    [RegularExpression(LabOutputs.InGroup + "Microsoft\\.ContainerService/managedClusters/[A-Za-z0-9._()-]+$", ErrorMessage = "the resource id of an AKS cluster")] string Id,
    [RegularExpression(LabOutputs.Size, ErrorMessage = "an Azure VM size")] string Size,
    [Range(1, 10)] int Nodes,
    OutputPools Pools);

public sealed record OutputPools(string Measured, string Load);
