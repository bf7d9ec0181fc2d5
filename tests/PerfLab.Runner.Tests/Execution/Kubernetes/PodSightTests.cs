using System.Text.Json.Nodes;
using PerfLab.Launching;
using PerfLab.Kubernetes;

namespace PerfLab.Runner.Tests.Execution.Kubernetes;

/// <summary>What the API server says of a pod, cut from answers of a real one (Kubernetes 1.33).</summary>
public sealed class PodSightTests
{
    [Theory]
    [InlineData("""{"status":{"phase":"Pending"}}""", null, null)]
    [InlineData("""{"status":{"phase":"Running","containerStatuses":[{"state":{"running":{"startedAt":"2026-11-22T21:40:00Z"}},"started":true}]}}""", null, null)]
    [InlineData("""{"status":{"phase":"Running","containerStatuses":[{"state":{"terminated":{"exitCode":0,"reason":"Completed"}}}]}}""", EndKind.Exited, null)]
    [InlineData("""{"status":{"phase":"Failed","containerStatuses":[{"state":{"terminated":{"exitCode":137,"reason":"OOMKilled"}}}]}}""", EndKind.OutOfMemory, "memory limit")]
    [InlineData("""{"status":{"containerStatuses":[{"state":{"waiting":{"reason":"ErrImagePull","message":"failed to pull image \"x:1\""}}}]}}""", EndKind.NotStarted, "ErrImagePull: failed to pull image")]
    [InlineData("""{"status":{"containerStatuses":[{"state":{"waiting":{"reason":"ContainerCreating"}}}]}}""", null, null)]
    [InlineData("""{"status":{"phase":"Failed","reason":"UnexpectedAdmissionError","message":"Allocate failed due to not enough cpus available to satisfy request"}}""", EndKind.NotStarted, "not enough cpus")]
    [InlineData("""{"status":{"phase":"Failed","reason":"Evicted","message":"The node was low on resource: memory."}}""", EndKind.KilledFromOutside, "low on resource")]
    [InlineData("""{"status":{"phase":"Failed","reason":"DeadlineExceeded","message":"Pod was active on the node longer than the specified deadline","containerStatuses":[{"state":{"terminated":{"exitCode":137,"reason":"Error"}}}]}}""", EndKind.TimedOut, "longer than the specified deadline")]
    [InlineData("""{"metadata":{"deletionTimestamp":"2026-11-22T21:40:00Z"},"status":{"conditions":[{"type":"DisruptionTarget","status":"True","reason":"DeletionByTaintManager","message":"Taint manager: deleting due to NoExecute taint"}]}}""", EndKind.KilledFromOutside, "DeletionByTaintManager: Taint manager")]
    [InlineData("""{"metadata":{"deletionTimestamp":"2026-11-22T21:40:00Z"}}""", EndKind.KilledFromOutside, "somebody deleted it")]
    [InlineData("""{"metadata":7,"spec":[],"status":{"containerStatuses":[null,{}],"conditions":{}}}""", null, null)]
    public void how_a_pod_ended_is_the_api_servers_word(string pod, EndKind? how, string? reason)
    {
        var sight = new PodSight(JsonNode.Parse(pod)!.AsObject(), IsGone: false);
        (sight.End?.How, sight.Name).ShouldBe((how, ""));
        (sight.End?.Reason ?? "").ShouldContain(reason ?? "");
    }

    [Theory]
    [InlineData("""{"status":{"conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/1 nodes are available: 1 Insufficient cpu."}]}}""", "no node takes its pod: 0/1 nodes are available: 1 Insufficient cpu.")]
    [InlineData("""{"spec":{"nodeName":"n1"},"status":{"containerStatuses":[{"state":{"waiting":{"reason":"ContainerCreating"}}}]}}""", "ContainerCreating")]
    [InlineData("""{"spec":{"nodeName":"n1"}}""", "its pod is on n1 and does not run yet")]
    [InlineData("{}", "its pod was not scheduled yet")]
    public void why_it_does_not_run_yet_is_told(string pod, string waiting) =>
        new PodSight(JsonNode.Parse(pod)!.AsObject(), IsGone: false).Waiting.ShouldBe(waiting);
}
