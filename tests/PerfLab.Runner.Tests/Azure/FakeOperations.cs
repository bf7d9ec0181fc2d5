using System.Globalization;
using System.Net;
using System.Text.Json.Nodes;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>Long-running operations: they take time by the fake clock, in steps, and may fail after some of them.</summary>
public sealed class FakeOperations(FakeTimeProvider clock)
{
    private readonly Dictionary<string, Operation> all = new(StringComparer.Ordinal);
    private int number;

    public string RetryAfter { get; set; } = "10";
    public bool NeverEnd { get; set; }

    /// <summary>Operations end with Succeeded and do nothing.</summary>
    public bool Lie { get; set; }

    private sealed record Operation(string Subject, DateTimeOffset End, List<(DateTimeOffset At, Action<DateTimeOffset> Act)> Steps)
    {
        public JsonObject? Error { get; set; }
        public bool Cut { get; set; }
    }

    /// <param name="uri">Of the call that begins it.</param>
    /// <param name="subject">What it is about: another operation may cut it off.</param>
    /// <param name="error">With which it ends, or null.</param>
    /// <param name="steps">Seconds from now, and what happens then, at what time.</param>
    public HttpResponseMessage Begin(Uri uri, string subject, JsonObject? error, params (int After, Action<DateTimeOffset> Act)[] steps) =>
        Begin(accepted: null, uri, subject, error, steps);

    /// <summary>The same with another answer than 202: a PATCH of a scale set answers 200 with the set, and goes on.</summary>
    public HttpResponseMessage Begin(
        HttpResponseMessage? accepted, Uri uri, string subject, JsonObject? error, params (int After, Action<DateTimeOffset> Act)[] steps)
    {
        var path = string.Create(CultureInfo.InvariantCulture, $"/subscriptions/{FakeAzure.Subscription}/providers/Microsoft.Compute/locations/westeurope/operations/{++number}");
        var now = clock.GetUtcNow();
        var due = NeverEnd || Lie ? [] : steps.Select(step => (now.AddSeconds(step.After), step.Act)).ToList();
        all[path] = new(subject, NeverEnd ? DateTimeOffset.MaxValue : now.AddSeconds(steps.Length == 0 ? 5 : steps[^1].After), due) { Error = error };
        var answer = accepted ?? new HttpResponseMessage(HttpStatusCode.Accepted) { Content = new ByteArrayContent([]) };
        var address = $"{uri.Scheme}://{uri.Authority}{path}?api-version=2023-07-01";
        answer.Headers.TryAddWithoutValidation("Azure-AsyncOperation", address);
        answer.Headers.TryAddWithoutValidation("Location", address + "&monitor=true");
        answer.Headers.TryAddWithoutValidation("Retry-After", RetryAfter);
        return answer;
    }

    /// <summary>Lets happen whose time has come, in order.</summary>
    public void Settle()
    {
        while (all.Values.Where(operation => !operation.Cut && operation.Steps.Count > 0 && operation.Steps[0].At <= clock.GetUtcNow()).MinBy(operation => operation.Steps[0].At) is { } next)
        {
            var (at, act) = next.Steps[0];
            next.Steps.RemoveAt(0);
            act(at);
        }
    }

    /// <summary>A deletion ends what else is under way there.</summary>
    public void Preempt(string subject)
    {
        foreach (var pending in all.Values.Where(pending => pending.Subject == subject && pending.Steps.Count > 0))
        {
            pending.Cut = true;
            pending.Error = FakeAzure.OperationError("OperationPreempted", "The operation has been preempted by a more recent operation.");
        }
    }

    public HttpResponseMessage? Poll(string path)
    {
        if (!all.TryGetValue(path, out var operation))
        {
            return null;
        }

        if (!operation.Cut && operation.End > clock.GetUtcNow())
        {
            var wait = FakeAzure.Json(HttpStatusCode.OK, new JsonObject { ["status"] = "InProgress" });
            wait.Headers.TryAddWithoutValidation("Retry-After", RetryAfter);
            return wait;
        }

        return FakeAzure.Json(HttpStatusCode.OK, operation.Error is null
            ? new JsonObject { ["status"] = "Succeeded" }
            : new JsonObject { ["status"] = "Failed", ["error"] = operation.Error.DeepClone() });
    }
}
