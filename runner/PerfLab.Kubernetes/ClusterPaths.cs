namespace PerfLab.Kubernetes;

/// <summary>The paths of the API that are used: all of one namespace.</summary>
internal sealed class ClusterPaths(string space)
{
    public string Jobs => $"/apis/batch/v1/namespaces/{space}/jobs";

    public string NetworkPolicy(string name) => $"/apis/networking.k8s.io/v1/namespaces/{space}/networkpolicies/{name}";

    public string TryJob => $"{Jobs}?dryRun=All";

    public string JobsOf(string selector) => $"{Jobs}?labelSelector={Uri.EscapeDataString(selector)}";

    /// <summary>The jobs stay listed until their pods are gone.</summary>
    public string DeleteJobs(string selector) => $"{JobsOf(selector)}&propagationPolicy=Foreground";

    public string PodsOf(string selector) => $"{Pods}?labelSelector={Uri.EscapeDataString(selector)}";

    public string WatchPods(string selector) => $"{PodsOf(selector)}&watch=1&timeoutSeconds=3600";

    /// <summary>Without waiting for a node that may never answer again.</summary>
    public string ForcePods(string selector) => $"{PodsOf(selector)}&gracePeriodSeconds=0";

    public string Log(string pod, int lines, long most) =>
        Invariant($"{Pods}/{pod}/log?container=workload&tailLines={lines}&limitBytes={most}");

    public string EventsOf(string name) =>
        $"/api/v1/namespaces/{space}/events?fieldSelector={Uri.EscapeDataString("involvedObject.name=" + name)}";

    /// <summary>Not a path but arguments: kubectl patches nothing by path.</summary>
    public IEnumerable<string> Annotate(string pod, string name, string value) =>
    [
        "patch", "pod", pod, "--namespace", space, "--type=merge", "--output=name", "--patch",
        new JsonObject { ["metadata"] = new JsonObject { ["annotations"] = new JsonObject { [name] = value } } }.ToJsonString(),
    ];

    private string Pods => $"/api/v1/namespaces/{space}/pods";
}
