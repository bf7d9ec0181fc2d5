using Newtonsoft.Json;

namespace PerfLab.Workloads.JsonRoundTrip;

/// <summary>Newtonsoft.Json with its defaults.</summary>
internal static class Codec
{
    public static string Serialise(Order order) => JsonConvert.SerializeObject(order);

    public static Order? Parse(string text) => JsonConvert.DeserializeObject<Order>(text);
}
