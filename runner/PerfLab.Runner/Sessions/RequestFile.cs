using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;
using System.ComponentModel.DataAnnotations;
using PerfLab.Programs;

namespace PerfLab.Runner.Sessions;

/// <summary>request.json: an accepted `/benchmark` comment. Everything in it was typed by a stranger.</summary>
/// <param name="Repository">owner/name.</param>
/// <param name="PullRequest">Number.</param>
/// <param name="RequesterId">User id; logins can change hands.</param>
/// <param name="Base">Commit: the merge base.</param>
/// <param name="Head">Commit that was authorised and is measured.</param>
/// <param name="Word">What commands begin with in that repository; only the answers on GitHub show it.</param>
/// <param name="Words">The words of the command, as parsed; empty lists where nothing was said.</param>
/// <param name="Snippet">Null: the lab's own benchmarks are measured.</param>
internal sealed record RequestFile(
    [RegularExpression("^[A-Za-z0-9_-]{1,39}/[A-Za-z0-9._-]{1,100}$", ErrorMessage = "owner/name")] string Repository,
    [AtLeast(1)] int PullRequest,
    [AtLeast(1)] long CommentId,
    [AtLeast(1)] long RequesterId,
    [RegularExpression("^[0-9a-f]{40}$", ErrorMessage = "a full commit id")] string Base,
    [RegularExpression("^[0-9a-f]{40}$", ErrorMessage = "a full commit id")] string Head,
    [RegularExpression("^/[a-z][a-z0-9-]{0,38}$", ErrorMessage = "a slash and a word")] string Word,
    RequestWords Words,
    RequestSnippet? Snippet)
{
    public static FileFormat<RequestFile> Format { get; } =
        new("perf-lab/request/1", "request.json: an accepted /benchmark comment, written by the gate") { MostBytes = 64 << 10 };

    /// <summary>The request, or exit code 1: a file that breaks the schema was not written by the gate.</summary>
    public static RequestFile Read(string path) => InputFile.Read(Format, path, "the gate writes this file (schemas/request.schema.json); run the gate again");

    /// <summary>The words as a request: arms without values, because base and head differ only in the commit.</summary>
    public BenchmarkRequest ToBenchmarkRequest(Policy policy, ulong seed)
    {
        var request = new BenchmarkRequest
        {
            Targets = Words.Workloads.Count > 0 ? Words.Workloads : Words.Suite is { } suite ? [suite] : [],
            Arms = [NoValues("base"), NoValues("head")],
            Set = Words.ToSet(),
            Filters = Words.Filters,
            Categories = BenchmarkCategories.Of(Words.Categories, []),
            Rounds = Words.RoundCounts(),
            WarmUpSeconds = Words.WarmUp,
            CurrentSdk = Words.Sdk is not null,
            Seed = seed,
            Policy = policy with { Within = Words.Within ?? 0 },
            OnlyTouched = true,
            Turns = TurnPlan.WhereItCan,
            Snippet = Snippet?.Text,
        };
        var origin = new PullRequestOrigin(Repository, PullRequest, CommentId, RequesterId, Base, Head, Words.Machine);
        return request with { Asked = AskedRequest.Of(request) with { PullRequest = origin } };
    }

    private static ArmRequest NoValues(string id) => new(id, new Dictionary<string, string>(StringComparer.Ordinal));
}
