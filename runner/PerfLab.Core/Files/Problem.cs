namespace PerfLab.Core.Files;

/// <summary>One thing that is wrong with what was asked for, with the nearest valid values.</summary>
/// <param name="Where">What was read: an option, or a file with line and field.</param>
/// <param name="What">What is wrong, one sentence.</param>
/// <param name="Try">What to write instead, or null.</param>
public sealed record Problem(string Where, string What, string? Try = null)
{
    public override string ToString() => Try is null ? $"{Where}: {What}" : $"{Where}: {What}{(What[^1] is '.' or '?' ? "" : ".")} {Try}";
}
