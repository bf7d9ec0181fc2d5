using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Lab.Azure;

namespace PerfLab.Lab.Power;

/// <summary>
/// What lab.json (docs/internals/formats.md) says, as far as machine power needs it; with prices, which perf-lab.yaml may say otherwise.
/// </summary>
public sealed class LabFile(LabOutputs outputs, IReadOnlyList<MachineDefinition> known)
{
    public const string FileName = "lab.json";

    public string Stack => outputs.Stack;

    /// <summary>"0300 UTC": when everything is switched off, whatever we do.</summary>
    public string DailyShutdown => $"{outputs.Shutdown.Time} {outputs.Shutdown.TimeZone}";

    public IReadOnlyList<AzureMachine> Machines { get; } = [.. outputs.Machines.OfType<OutputAzure>().Select(machine =>
    {
        var (subscription, group, name) = Parts(machine.Id);
        return new AzureMachine
        {
            Name = machine.Name,
            SubscriptionId = subscription,
            ResourceGroup = group,
            AzureName = name,
            Location = outputs.Location,
            Size = machine.Size,
            Stack = outputs.Stack,
            Shutdown = new DailyShutdown(outputs.Shutdown.Time, outputs.Shutdown.TimeZone),
            PricePerHour = known.FirstOrDefault(definition => definition.Name == machine.Name)?.PricePerHour ?? machine.PricePerHour ?? 0,
        };
    })];

    /// <summary>Null in a lab without one.</summary>
    public AzureCluster? Cluster { get; } = outputs.Cluster is { } cluster && Parts(cluster.Id) is var (subscription, group, name) ? new()
    {
        Name = cluster.Name,
        SubscriptionId = subscription,
        ResourceGroup = group,
        AzureName = name,
        Location = outputs.Location,
        Size = cluster.Size,
        MostNodes = 2 * cluster.Nodes,
        // A node costs what a machine of its size does.
        PricePerHour = 2 * cluster.Nodes * (known.FirstOrDefault(definition => definition.Size == cluster.Size && definition.PricePerHour > 0)?.PricePerHour ?? 0),
    } : null;

    /// <summary>All that is leased, started and stopped.</summary>
    public IReadOnlyList<AzureResource> Resources => Cluster is null ? Machines : [.. Machines, Cluster];

    /// <summary>Machines that nobody can switch: the bare-metal agents.</summary>
    public IReadOnlyList<string> MetalMachines => [.. outputs.Machines.OfType<OutputMetal>().Select(machine => machine.Name)];

    /// <summary>Null with every problem in <paramref name="problems"/>.</summary>
    public static LabFile? Parse(ReadOnlyMemory<byte> utf8, IReadOnlyList<MachineDefinition> known, ICollection<Problem> problems)
    {
        var reading = LabOutputs.File.Read(utf8);
        foreach (var problem in reading.Problems)
        {
            problems.Add(problem with { Where = $"{FileName}, {problem.Where}" });
        }

        return reading.Value is { } outputs ? new(outputs, known) : null;
    }

    // Their form is checked: /subscriptions/S/resourceGroups/G/providers/P/T/N.
    private static (string Subscription, string Group, string Name) Parts(string id) => id.Split('/') is var parts ? (parts[2], parts[4], parts[^1]) : default;
}
