using System.Text.Json;

namespace PerfLab.Workloads.JsonRoundTrip;

/// <summary>System.Text.Json of the runtime with its defaults, by reflection as Newtonsoft.Json works, not by source generation.</summary>
internal static class Codec
{
    public static string Serialise(Order order) => JsonSerializer.Serialize(order);

    public static Order? Parse(string text) => JsonSerializer.Deserialize<Order>(text);
}
