namespace PerfLab.Kubernetes;

/// <summary>What whoever launches must be allowed to do in the namespace, and nothing beyond it: the Role of docs/operations.md.</summary>
internal static class ClusterRights
{
    public static readonly IReadOnlyList<(string Group, string Resource, string Sub, string Verb)> All =
    [
        ("batch", "jobs", "", "create"), ("batch", "jobs", "", "list"), ("batch", "jobs", "", "deletecollection"),
        ("", "pods", "", "get"), ("", "pods", "", "list"), ("", "pods", "", "watch"), ("", "pods", "", "patch"),
        ("", "pods", "", "deletecollection"),
        ("", "pods", "log", "get"), ("", "events", "", "list"), ("networking.k8s.io", "networkpolicies", "", "get"),
    ];

    private const string Reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

    /// <summary>Those that the API server says are missing, as kubectl would name them.</summary>
    /// <exception cref="ClusterException">It does not answer.</exception>
    public static async Task<IReadOnlyList<string>> MissingAsync(Kubectl kubectl, string space, CancellationToken cancellationToken)
    {
        var answers = await Task.WhenAll(All.Select(right => kubectl.CreateAsync(
            "asking what this login may do", Reviews, Review(space, right), cancellationToken)));
        return [.. All.Zip(answers).Where(pair => !IsAllowed(pair.Second)).Select(pair => Name(pair.First))];
    }

    private static string Name((string Group, string Resource, string Sub, string Verb) right) =>
        $"{right.Verb} {right.Resource}{(right.Sub.Length > 0 ? "/" + right.Sub : "")}";

    private static bool IsAllowed(JsonObject review) =>
        review["status"]?["allowed"] is JsonValue value && value.TryGetValue<bool>(out var allowed) && allowed;

    private static JsonObject Review(string space, (string Group, string Resource, string Sub, string Verb) right) => new()
    {
        ["apiVersion"] = "authorization.k8s.io/v1",
        ["kind"] = "SelfSubjectAccessReview",
        ["spec"] = new JsonObject
        {
            ["resourceAttributes"] = new JsonObject
            {
                ["namespace"] = space,
                ["group"] = right.Group,
                ["resource"] = right.Resource,
                ["subresource"] = right.Sub,
                ["verb"] = right.Verb,
            },
        },
    };
}
