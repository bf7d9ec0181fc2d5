using System.ComponentModel.DataAnnotations;
using PerfLab.Core.Files;

namespace PerfLab.Building.Manifests;

/// <summary>The `kubernetes` of perf-lab.yaml: where and how `--executor kubernetes` launches (docs/operations.md).</summary>
public sealed record ClusterSettings : IChecked
{
    /// <summary>A context of the kubeconfig; its current one when absent.</summary>
    [MinLength(1)]
    public string? Context { get; init; }

    /// <summary>It must be there, and hold nothing but launches.</summary>
    [RegularExpression("^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$", ErrorMessage = "a name of Kubernetes: a-z, 0-9 and -")]
    public string Namespace { get; init; } = "perf-lab";

    /// <summary>Under which name, without a tag, the cluster's nodes find the images of builds.</summary>
    [RegularExpression(
        "^[a-z0-9][a-z0-9._:/-]{0,199}$", ErrorMessage = "the name of an image without a tag, such as registry.example.org/perf-lab/build")]
    public string Image { get; init; } = "perf-lab/build";

    /// <summary>
    /// A program and its arguments, run once for each build before the first launch: it brings the image in the file {archive}
    /// (docker-archive) to where nodes find it as {image}.
    /// </summary>
    public IReadOnlyList<string> Deliver { get; init; } = [];

    /// <summary>Labels of the nodes that are launched on; all nodes when absent.</summary>
    public OrderedDictionary<string, string> Pool { get; init; } = [];

    /// <summary>Role of a launch of several nodes -> labels, instead of those of `pool`.</summary>
    public OrderedDictionary<string, OrderedDictionary<string, string>> Pools { get; init; } = [];

    /// <summary>Whether each node of a launch gets a node of the cluster that no other of them is on.</summary>
    public bool Spread { get; init; } = true;

    /// <summary>Seconds that a launch may wait until all its pods run; longer where nodes have to be started for it.</summary>
    [Range(1, 3600)]
    public int StartSeconds { get; init; } = 120;

    /// <summary>What would be found out only by a launch without its image.</summary>
    public IEnumerable<Problem> Problems() =>
        Deliver.Count == 0 || Deliver.Any(word => word.Contains("{archive}", StringComparison.Ordinal)) ? []
        : [new(
            "deliver", "no argument holds {archive}, the file with the image.",
            "deliver: [skopeo, copy, \"docker-archive:{archive}\", \"docker://{image}\"]")];
}
