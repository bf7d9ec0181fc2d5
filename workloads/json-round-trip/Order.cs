namespace PerfLab.Workloads.JsonRoundTrip;

/// <summary>A document as web services exchange them: strings, numbers, dates, flags, a list of objects, a map, something missing.</summary>
internal sealed class Order
{
    public Guid Id { get; set; }
    public DateTimeOffset Placed { get; set; }
    public Customer? Customer { get; set; }
    public List<Line> Lines { get; set; } = [];
    public Dictionary<string, string> Labels { get; set; } = [];
    public decimal Total { get; set; }
    public bool Express { get; set; }
    public string? Note { get; set; }

    /// <summary>True when every member is equal, lists in order.</summary>
    public bool Equal(Order? other) =>
        other is not null
        && (Id, Placed, Total, Express, Note) == (other.Id, other.Placed, other.Total, other.Express, other.Note)
        && Equals(Customer, other.Customer)
        && Lines.SequenceEqual(other.Lines)
        && Labels.Count == other.Labels.Count
        && Labels.All(label => other.Labels.TryGetValue(label.Key, out var value) && value == label.Value);
}

internal sealed record Customer
{
    public long Number { get; set; }
    public string Name { get; set; } = "";
    public string Email { get; set; } = "";
    public string City { get; set; } = "";
}

internal sealed record Line
{
    public string Article { get; set; } = "";
    public string Description { get; set; } = "";
    public int Quantity { get; set; }
    public decimal Price { get; set; }
    public double Weight { get; set; }
}
