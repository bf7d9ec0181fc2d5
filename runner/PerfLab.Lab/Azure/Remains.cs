using Azure;
using Azure.Core;
using PerfLab.Core.Files;

namespace PerfLab.Lab.Azure;

/// <summary>A card, an address or a disk that belongs to no virtual machine any more.</summary>
/// <param name="Id">Resource id.</param>
/// <param name="IsGoing">Azure is deleting it.</param>
internal sealed record Remain(string Id, string ApiVersion, bool IsGoing)
{
    public string Name => Id.Split('/')[^1];
}

/// <summary>
/// What a deleted virtual machine may leave: a delete cascades to card, address and disk, but an operation can fail half-way. They are
/// billed,
/// so they are looked for and deleted, the card first: an address that a card still names can't go.
/// </summary>
internal sealed class Remains(AzureAccess access, PatientCalls calls)
{
    private const string Network = "2023-09-01", Disks = "2023-04-02";
    private const int MostPages = 20;

    /// <summary>Kinds in the order in which they can be deleted.</summary>
    private static readonly (string Kind, string ApiVersion)[] Kinds =
        [("Microsoft.Network/networkInterfaces", Network), ("Microsoft.Network/publicIPAddresses", Network), ("Microsoft.Compute/disks", Disks)];

    private readonly ArmCalls arm = new(access);

    public async Task<IReadOnlyList<Remain>> FindAsync(AzureMachine machine, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        var found = new List<Remain>();
        foreach (var (kind, version) in Kinds)
        {
            var listed = (await calls.AskAsync(ct => ListAsync(machine, kind, version, ct), deadline, cancellationToken))!;
            var its = listed.Where(thing => thing.IsFree && IsOf(machine, thing));
            found.AddRange(its.Select(thing => new Remain(thing.Id, version, thing.Properties?.ProvisioningState is "Deleting")));
        }

        return found;
    }

    /// <summary>Ends when Azure has accepted it; gone already is as good.</summary>
    public Task AskForDeletionAsync(Remain remain, DateTimeOffset deadline, CancellationToken cancellationToken) => calls.AskAsync(
        async ct =>
        {
            try
            {
                (await arm.SendAsync(RequestMethod.Delete, arm.At(remain.Id, remain.ApiVersion), ct)).Dispose();
            }
            catch (RequestFailedException gone) when (gone.Status == 404)
            {
                return false;
            }

            return true;
        },
        deadline, cancellationToken);

    private async Task<IReadOnlyList<Listed>> ListAsync(
        AzureMachine machine, string kind, string version, CancellationToken cancellationToken)
    {
        var things = new List<Listed>();
        var next = arm.At($"/subscriptions/{machine.SubscriptionId}/resourceGroups/{machine.ResourceGroup}/providers/{kind}", version);
        for (var page = 0; next is not null; page++)
        {
            using var answer = await arm.SendAsync(RequestMethod.Get, next, cancellationToken);
            var reading = Page.Format.Read(answer.Content.ToMemory());
            var list = reading.Value ?? throw new JsonException(string.Join("; ", reading.Problems));
            things.AddRange(list.Value);
            next = list.NextLink is null || page == MostPages ? null : arm.OwnAddress(list.NextLink) ?? throw new JsonException("the next page is on another host");
        }

        return things;
    }

    /// <summary>
    /// The tag says it; where Azure hands no tags on, the name does: what a scale set makes begins with the name that its model gives.
    /// </summary>
    private static bool IsOf(AzureMachine machine, Listed thing) =>
        thing.Tags?.FirstOrDefault(tag => string.Equals(tag.Key, AzureMachine.MachineTag, StringComparison.OrdinalIgnoreCase)).Value is { } owner
            ? string.Equals(owner, machine.AzureName, StringComparison.OrdinalIgnoreCase)
            : new[] { "-", "_" }.Any(next => thing.Name.StartsWith(machine.AzureName + next, StringComparison.OrdinalIgnoreCase));

    private sealed record Page(IReadOnlyList<Listed> Value, string? NextLink = null)
    {
        public static FileFormat<Page> Format { get; } = new("", "a list of resources") { IsForeign = true, MostBytes = 16 << 20 };
    }

    private sealed record Listed(
        string Id, string Name, Dictionary<string, string>? Tags = null, string? ManagedBy = null, Attached? Properties = null)
    {
        /// <summary>A card names its machine, an address its card, a disk its manager.</summary>
        public bool IsFree => ManagedBy is null && Properties?.VirtualMachine is null && Properties?.IpConfiguration is null;
    }

    private sealed record Attached(
        string? ProvisioningState = null, JsonElement? VirtualMachine = null, JsonElement? IpConfiguration = null);
}
