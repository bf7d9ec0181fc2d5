using System.Diagnostics;

namespace PerfLab.Kubernetes;

/// <summary>Removes the jobs of a launch and makes sure that their pods are gone; says what is still there. Never cancelled.</summary>
internal sealed class LaunchRemoval(Kubectl kubectl, ClusterPaths paths, string launch)
{
    /// <summary>A pod whose node answers is gone within two seconds.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(200);

    private readonly string selector = LaunchJob.OfLaunch(launch);

    public async Task<string?> RunAsync(PodWatch watch)
    {
        try
        {
            await kubectl.DeleteAsync("removing the jobs of a launch", paths.DeleteJobs(selector), CancellationToken.None);
            if (await IsGoneAsync(watch))
            {
                return null;
            }

            // The node of a pod that stays does not answer: the cluster forgets the pod, and the node ends it when it is back.
            await kubectl.DeleteAsync("removing pods whose node does not answer", paths.ForcePods(selector), CancellationToken.None);
            return await IsGoneAsync(null) ? null : $"Pods of the launch {launch} are still there after they were removed.";
        }
        catch (ClusterException failure)
        {
            return $"The launch {launch} may not be gone ({failure.Message}); the cluster removes it by itself after its deadline.";
        }
    }

    private async Task<bool> IsGoneAsync(PodWatch? watch)
    {
        var started = Stopwatch.GetTimestamp();
        if (watch is { SawAny: true })
        {
            using var patience = new CancellationTokenSource(Patience);
            try
            {
                await watch.UntilAsync(() => watch.AllGone ? this : null, patience.Token);
                return true;
            }
            catch (OperationCanceledException)
            {
                return false;
            }
            catch (ClusterException)
            {
                // The connection was lost: ask.
            }
        }

        while (await AnyAsync())
        {
            if (Stopwatch.GetElapsedTime(started) > Patience)
            {
                return false;
            }

            await Task.Delay(Pause);
        }

        return true;
    }

    private async Task<bool> AnyAsync() =>
        await kubectl.GetAsync("listing the pods of a launch", paths.PodsOf(selector), CancellationToken.None) is var list
        && list["items"] is JsonArray { Count: > 0 };
}
