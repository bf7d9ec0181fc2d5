using PerfLab.Core.Model;

namespace PerfLab.Lab.Azure;

/// <summary>Azure did not do it, and no further try makes sense now.</summary>
public sealed class AzureException(AzureFailure failure, Exception? inner = null) : Exception(failure.Message, inner)
{
    public AzureFailure Failure { get; } = failure;

    /// <summary>The same for a person, who learns what to do about this kind.</summary>
    public LabException Explain(string tried, AzureResource resource) => new(tried, Failure.Message, AdviceFor(resource), this);

    private string AdviceFor(AzureResource resource) => Failure.Kind switch
    {
        FailureKind.Capacity => $"Azure has no capacity for {resource.Size} in {resource.Location} now: ask again later{(resource is AzureMachine ? ", or use the metal agent" : "")}. The size is never changed silently, results would not compare",
        FailureKind.Unexplained => $"what fails without a word is no capacity for {resource.Size} in {resource.Location}, most often: ask again later{(resource is AzureMachine ? ", or use the metal agent" : "")}; the activity log of {resource.AzureName} in the portal has the reason",
        FailureKind.Quota => $"the subscription's core quota in {resource.Location} is used up: ask for more of the family of {resource.Size} (portal: Quotas), or stop what else runs there",
        FailureKind.Size => $"{resource.Size} is not offered to this subscription in {resource.Location}: `az vm list-skus --location {resource.Location} --size {resource.Size}` says why; choose another size or region in the stack file and run `pulumi up`",
        FailureKind.Policy => $"a policy forbids it. The lab's own policy allows the sizes of the stack file: after a change there, run `pulumi up`. If it is another policy, ask who assigned it",
        FailureKind.Foreign => "two stacks share a resource group: give each its own, run `pulumi up`, then `perf-lab lab configure`",
        FailureKind.Throttled => Failure.RetryAfter is { } wait
            ? $"Azure throttles this subscription and asks to wait {Math.Ceiling(wait.TotalMinutes)} min: ask again after that; find out who else calls so often"
            : "Azure throttles this subscription: ask again in some minutes",
        FailureKind.Identity => "log in: `az login` on a laptop, the `azure/login` step in a workflow (client-id, tenant-id and subscription-id of lab.json; the federated subject must be this environment)",
        FailureKind.Permission => $"this identity may not do that on {resource.AzureName}: it needs the role `{resource.PowerRole}` there, which `pulumi up` gives to `lab-power`; a new assignment takes some minutes to work",
        FailureKind.Missing => $"{resource.AzureName} is not in resource group {resource.ResourceGroup}: run `pulumi up`, then `perf-lab lab configure`",
        FailureKind.Busy => $"another operation on {resource.Name} is under way and did not end: look at its activity log in the portal, then ask again",
        FailureKind.NotAzure => "something between here and Azure answered in its place (a proxy or a login page?): look at HTTPS_PROXY and at what `curl https://management.azure.com` says",
        FailureKind.Unavailable => "Azure did not answer properly for as long as was tried: look at https://status.azure.com, then ask again",
        _ => "read the message; its activity log in the portal has more",
    };
}
