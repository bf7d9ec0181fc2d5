namespace PerfLab.Lab.Azure;

/// <summary>
/// Estimates in the currency of the subscription, from the prices in perf-lab.yaml; of the cluster, whose nodes come and go, the most that
/// it can be. The disk and the address of a machine cost extra while it runs.
/// </summary>
public static class Money
{
    public static string PerHour(AzureResource resource) =>
        resource.PricePerHour > 0 ? Invariant($"{Most(resource, "up to ")}{resource.PricePerHour:0.00##} an hour") : "an unknown price";

    /// <summary>"3.21", or "-" without a price.</summary>
    public static string For(AzureResource resource, double minutes) =>
        resource.PricePerHour > 0 ? (resource.PricePerHour * minutes / 60).ToString("0.00", CultureInfo.InvariantCulture) : "-";

    /// <summary>The same as it stands in a table: "&lt;= 3.21" for the cluster.</summary>
    public static string Shown(AzureResource resource, double minutes) => (resource.PricePerHour > 0 ? Most(resource, "<= ") : "") + For(resource, minutes);

    private static string Most(AzureResource resource, string word) => resource is AzureCluster ? word : "";
}
