using Azure;
using Azure.Core;
using Azure.ResourceManager;
using Azure.ResourceManager.Resources.Models;

namespace PerfLab.Lab.Azure;

/// <summary>Tags by one PATCH that needs only Microsoft.Resources/tags/write; the SDK's AddTagAsync reads the subscription first.</summary>
internal sealed class ResourceTags(ArmClient arm, PatientCalls calls)
{
    public Task MergeAsync(AzureResource resource, IReadOnlyDictionary<string, string> tags, DateTimeOffset deadline, CancellationToken cancellationToken) =>
        PatchAsync(resource, TagPatchMode.Merge, tags, deadline, cancellationToken);

    /// <summary>Removes exactly these pairs.</summary>
    public Task RemoveAsync(AzureResource resource, IReadOnlyDictionary<string, string> tags, DateTimeOffset deadline, CancellationToken cancellationToken) =>
        tags.Count == 0 ? Task.CompletedTask : PatchAsync(resource, TagPatchMode.Delete, tags, deadline, cancellationToken);

    private async Task PatchAsync(AzureResource of, TagPatchMode mode, IReadOnlyDictionary<string, string> tags, DateTimeOffset deadline, CancellationToken cancellationToken)
    {
        var patch = new TagResourcePatch { PatchMode = mode };
        foreach (var (name, value) in tags)
        {
            patch.TagValues[name] = value;
        }

        var resource = arm.GetTagResource(new ResourceIdentifier(of.Id + "/providers/Microsoft.Resources/tags/default"));
        await calls.AskAsync(ct => resource.UpdateAsync(WaitUntil.Started, patch, ct), deadline, cancellationToken);
    }
}
