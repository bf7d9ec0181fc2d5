using System.Text.RegularExpressions;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Requests;

namespace PerfLab.Runner.Sessions;

/// <summary>request.json: an accepted `/benchmark` comment. Everything in it was typed by a stranger, so nothing passes that the schema does not allow.</summary>
public sealed partial record RequestFile(
    string Schema, string Repository, int PullRequest, long CommentId, long RequesterId, string Base, string Head, RequestWords Words)
{
    public const string Name = "perf-lab/request/1";
    private const int MostBytes = 64 << 10;

    private static readonly JsonSerializerOptions Options = new(JsonSerializerDefaults.Web)
    {
        PropertyNameCaseInsensitive = false,
        MaxDepth = 32,
        AllowDuplicateProperties = false,
        UnmappedMemberHandling = System.Text.Json.Serialization.JsonUnmappedMemberHandling.Disallow,
        NumberHandling = System.Text.Json.Serialization.JsonNumberHandling.Strict,
        RespectNullableAnnotations = true,
        RespectRequiredConstructorParameters = true,
    };

    /// <summary>The request, or exit code 1: a file that breaks the schema was not written by the gate.</summary>
    public static RequestFile Read(string path)
    {
        try
        {
            if (new FileInfo(path).Length > MostBytes)
            {
                throw Broken(path, $"more than {MostBytes >> 10} KiB");
            }

            var request = JsonSerializer.Deserialize<RequestFile>(File.ReadAllBytes(path), Options);
            return request?.WhatIsWrong() is { } wrong ? throw Broken(path, wrong) : request ?? throw Broken(path, "it is null");
        }
        catch (Exception exception) when (exception is JsonException or IOException or UnauthorizedAccessException)
        {
            throw Broken(path, exception is JsonException json ? JsonFault.Text(json) : exception.Message, exception);
        }
    }

    /// <summary>The words as a request: arms without values, because base and head differ only in the commit.</summary>
    public BenchmarkRequest ToBenchmarkRequest(Policy policy, ulong seed)
    {
        var request = new BenchmarkRequest
        {
            Targets = Words.Workloads.Count > 0 ? Words.Workloads : Words.Suite is { } suite ? [suite] : [],
            Arms = [NoValues("base"), NoValues("head")],
            Set = Words.ToSet(),
            Rounds = Words.RoundCounts(),
            Seed = seed,
            Policy = policy,
        };
        return request with { Asked = AskedRequest.Of(request) with { PullRequest = new(Repository, PullRequest, CommentId, RequesterId, Base, Head, Words.Machine) } };
    }

    private static ArmRequest NoValues(string id) => new(id, new Dictionary<string, string>(StringComparer.Ordinal));

    private string? WhatIsWrong() =>
        Schema != Name ? $"schema is not {Name}"
        : !RepositoryForm().IsMatch(Repository) ? "repository is not owner/name"
        : PullRequest < 1 || CommentId < 1 || RequesterId < 1 ? "pullRequest, commentId and requesterId are numbers from 1"
        : !CommitForm().IsMatch(Base) ? "base is not a full commit id"
        : !CommitForm().IsMatch(Head) ? "head is not a full commit id"
        : Words.WhatIsWrong();

    private static LabException Broken(string path, string what, Exception? inner = null) =>
        new($"reading the request {path}", what, "the gate writes this file (schemas/request.schema.json); run the gate again", inner);

    [GeneratedRegex(@"^[A-Za-z0-9-]{1,39}/[A-Za-z0-9._-]{1,100}\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex RepositoryForm();

    [GeneratedRegex(@"^[0-9a-f]{40}\z", RegexOptions.CultureInvariant, 1000)]
    private static partial Regex CommitForm();
}
