using System.Text.RegularExpressions;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Building.Manifests;

/// <summary>`nodes` of workload.yaml: value of the parameter -> role -> how many programs.</summary>
internal static partial class Layouts
{
    public static IReadOnlyList<NodeLayout> Of(OrderedDictionary<string, OrderedDictionary<string, int>> nodes) =>
        [.. nodes.Select(layout => new NodeLayout(layout.Key, [.. layout.Value.Select(role => new NodeRole(role.Key, role.Value))]))];

    /// <summary>The parameter that chooses among them; none where there is nothing to choose from.</summary>
    public static IEnumerable<ParameterDefinition> Parameter(OrderedDictionary<string, OrderedDictionary<string, int>> nodes) =>
        nodes.Count == 0 ? [] :
    [
        new() { Name = NodeLayout.Parameter, Default = nodes.GetAt(0).Key, Type = ParameterType.Text, Values = [.. nodes.Keys] },
    ];

    public static IEnumerable<Problem> Problems(WorkloadManifest manifest)
    {
        if (manifest.Nodes.Count > 0 && manifest.Parameters.ContainsKey(NodeLayout.Parameter))
        {
            yield return new("parameters.nodes", "is what `nodes` makes: a workload has one of the two");
        }

        foreach (var (layout, roles) in manifest.Nodes)
        {
            foreach (var role in roles.Keys.Where(role => !RoleName().IsMatch(role)))
            {
                yield return new($"nodes.{layout}.{role}", "must be a role's name of a-z, at most 16 characters");
            }

            if (roles.Values.Sum(count => (long)count) is var all and (1 or > NodeLayout.MostNodes))
            {
                yield return new($"nodes.{layout}", all == 1 ? "is one program, which is written {}"
                    : Invariant($"must have at most {NodeLayout.MostNodes} nodes, has {all}"));
            }
        }
    }

    [GeneratedRegex("^[a-z]{1,16}$", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex RoleName();
}
