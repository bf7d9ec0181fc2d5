using ModelContextProtocol.Protocol;
using PerfLab.Core.Model;
using PerfLab.Programs;

namespace PerfLab.Runner.Commands;

/// <summary>A command as an agent calls it: which words it takes, and which of them are options.</summary>
internal sealed record AgentTool(string Name, string Command, string Summary, IReadOnlyList<AgentWord> Words)
{
    private static readonly AgentWord Target = new("target", "A project of benchmarks, a workload or a folder with a workload.yaml.", true);
    private static readonly AgentWord Base = new("base", "A branch, tag or commit, or dimension=value,…", true, "--base");
    private static readonly AgentWord Filter = new("filter", "Which benchmarks, by BenchmarkDotNet's globs.", false, "--filter");
    private static readonly AgentWord Runtime = new("runtime", "For example net10.0.", false, "--runtime");
    private static readonly AgentWord Sdk = new("sdk", "current: the newest SDK builds, whatever a global.json says.", false, "--sdk");
    private static readonly AgentWord Head = new("head", "The arm under test; . is the working tree.", true, "--head");

    public static IReadOnlyList<AgentTool> All { get; } =
    [
        new("compare", "run", "Measure base against head and say what regressed or improved, how sure that is, and what changed.",
            [Target, Base, Head, Filter, Runtime, new("rounds", "Screen and confirm rounds, 0+20.", false, "--rounds"),
                new("warm-up", "Least warm-up of a launch, in seconds.", false, "--warm-up"), Sdk]),
        new("explain", "explain", "Why rows of a session moved: methods and counters.",
            [new("session", "The session's folder, as compare printed it.", true)]),
        new("bisect", "bisect", "Which commit made one row slower or faster.",
            [Target, new("good", "The older commit.", true, "--good"), new("bad", "The newer one.", false, "--bad"),
                Filter, Runtime, Sdk]),
        new("diff", "diff", "What differs between two builds, method by method; a change of the benchmarks themselves is in it.",
            [Target, Base, Head, Sdk]),
    ];

    public Tool Described => new()
    {
        Name = Name,
        Description = Summary,
        InputSchema = JsonSerializer.SerializeToElement(new JsonObject
        {
            ["type"] = "object",
            ["properties"] = new JsonObject(Words.Select(word => KeyValuePair.Create<string, JsonNode?>(word.Name,
                new JsonObject { ["type"] = "string", ["description"] = word.Summary }))),
            ["required"] = new JsonArray([.. Words.Where(word => word.IsNeeded).Select(word => (JsonNode)word.Name)]),
            ["additionalProperties"] = false,
        }),
    };

    /// <summary>Null with a problem where the call says something that no person should have typed for it.</summary>
    public static IReadOnlyList<string>? ArgumentsOf(
        string name, IDictionary<string, JsonElement>? given, Terminal terminal, out string? problem)
    {
        var tool = All.FirstOrDefault(one => one.Name == name);
        var values = given ?? new Dictionary<string, JsonElement>(StringComparer.Ordinal);
        problem = tool is null ? $"there is no tool {UntrustedText.Code(name)}; there are {string.Join(", ", All.Select(one => one.Name))}"
            : tool.Problem(values, terminal);
        return problem is not null ? null :
        [
            tool!.Command, .. tool.Words.Where(word => values.ContainsKey(word.Name)).Select(word =>
                word.Option is null ? values[word.Name].GetString()! : $"{word.Option}={values[word.Name].GetString()}"),
        ];
    }

    private string? Problem(IDictionary<string, JsonElement> given, Terminal terminal) =>
        Words.FirstOrDefault(word => word.IsNeeded && !given.ContainsKey(word.Name)) is { } missing ? $"{missing.Name} is missing"
        : given.Keys.FirstOrDefault(key => Words.All(word => word.Name != key)) is { } stranger
            ? $"{Name} has no {UntrustedText.Code(stranger)}"
        : Words.Where(word => given.ContainsKey(word.Name)).Select(word => word.Problem(given[word.Name], terminal))
            .FirstOrDefault(found => found is not null);
}

/// <summary>One argument of a tool.</summary>
/// <param name="Option">Null: it stands alone.</param>
internal sealed record AgentWord(string Name, string Summary, bool IsNeeded, string? Option = null)
{
    private const int MostChars = 1000;

    public string? Problem(JsonElement value, Terminal terminal)
    {
        if (value.ValueKind != JsonValueKind.String || value.GetString() is not { Length: > 0 and <= MostChars } text || text.Any(char.IsControl))
        {
            return $"{Name} must be one line of text";
        }

        // An option in place of a name, and a file of arguments (@file), would say more than the tool takes.
        return text[0] is '-' or '@' ? $"{Name} must not begin with {text[0]}"
            : text.Split(',').Select(part => part[(part.IndexOf('=') + 1)..]).Any(part => IsOutside(part, terminal))
                ? $"{Name}: {UntrustedText.Code(text)} is outside of the repository"
            : null;
    }

    /// <summary>Where it leads as a path, links followed; what is no path leads nowhere.</summary>
    private static bool IsOutside(string word, Terminal terminal)
    {
        var root = Real(terminal.Root);
        var path = Real(Path.GetFullPath(Path.Combine(terminal.WorkingFolder, word)));
        var isBelow = path == root || path.StartsWith(root.TrimEnd('/') + "/", StringComparison.Ordinal);
        var here = Real(terminal.WorkingFolder);
        return !isBelow && path != here && !path.StartsWith(here.TrimEnd('/') + "/", StringComparison.Ordinal);
    }

    private static string Real(string path)
    {
        var real = "/";
        foreach (var part in path.Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            var next = Path.Combine(real, part);
            real = Path.Exists(next) ? Directory.ResolveLinkTarget(next, returnFinalTarget: true)?.FullName ?? next : next;
        }

        return real;
    }
}
