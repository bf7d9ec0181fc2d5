using PerfLab.Power.Azure;

namespace PerfLab.Power;

/// <summary>A self-hosted runner as GitHub lists it.</summary>
public sealed record RegisteredRunner(string Name, bool IsOnline, bool IsBusy);

/// <summary>
/// GitHub's answer to "which runners are there", handed over as a file by the part that may ask (`gh api repos/…/actions/runners`):
/// this program holds no GitHub token.
/// </summary>
public sealed record RunnerList(IReadOnlyList<RegisteredRunner> Runners)
{
    private const int MostRunners = 1000;

    /// <summary>Null when it isn't GitHub's list.</summary>
    public static RunnerList? Parse(string text)
    {
        try
        {
            if (JsonNode.Parse(text, documentOptions: new JsonDocumentOptions { MaxDepth = 16 }) is not JsonObject { } json || json["runners"] is not JsonArray { Count: <= MostRunners } members)
            {
                return null;
            }

            return new([.. members.Select(member => new RegisteredRunner(
                member!["name"]!.GetValue<string>(), member["status"]!.GetValue<string>() is "online", member["busy"]!.GetValue<bool>()))]);
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException or NullReferenceException or FormatException)
        {
            return null;
        }
    }

    /// <summary>The runner of this lease on this machine is registered and not dead. Offline and busy means that it died at work.</summary>
    public bool Serves(Lease lease, string machine) =>
        Runners.Any(runner => runner.Name == NameFor(lease.Holder, machine) && (runner.IsOnline || !runner.IsBusy));

    /// <summary>The unique name, and label, under which this attempt registers its runner: no other job can land there.</summary>
    public static string NameFor(LeaseHolder holder, string machine) => FormattableString.Invariant($"run-{holder.RunId}-{holder.Attempt}-{machine}");
}
