using Azure;
using Azure.Core;
using Azure.Identity;
using PerfLab.Core.Files;

namespace PerfLab.Lab.Azure;

/// <summary>Why Azure did not do it; each kind has its own thing to do.</summary>
public enum FailureKind
{
    Capacity, Unexplained, Quota, Size, Policy, Throttled, Identity, Permission, Missing, Foreign, Busy, Unavailable, NotAzure, Refused,
}

/// <summary>An answer of Azure that isn't what was asked for, in our words.</summary>
public sealed record AzureFailure(FailureKind Kind, string Message)
{
    // Errors lie in errors, in a list or not; no body, or not Azure's: the status is all there is.
    private static readonly FileFormat<JsonObject> Body = new("", "an error of Azure") { IsForeign = true };

    /// <summary>How long Azure asked to wait.</summary>
    public TimeSpan? RetryAfter { get; init; }

    /// <summary>The same call may work a moment later, and repeating it does no harm.</summary>
    public bool IsPassing => Kind is FailureKind.Unavailable or FailureKind.NotAzure or FailureKind.Busy;

    /// <summary>Null for what isn't Azure's doing: a bug, or a cancellation.</summary>
    internal static AzureFailure? From(Exception exception, DateTimeOffset now) => exception switch
    {
        AuthenticationFailedException login => new(FailureKind.Identity, FirstLine(login.Message)),
        RequestFailedException failed => FromAnswer(failed, now),
        JsonException json => new(FailureKind.NotAzure, "the answer is not JSON: " + FirstLine(json.Message)),
        AggregateException { InnerExceptions: [.., var last] } => From(last, now),
        HttpRequestException or IOException or TimeoutException => new(FailureKind.Unavailable, FirstLine(exception.Message)),
        TaskCanceledException => new(FailureKind.Unavailable, "no answer in time"),
        // The SDK's parsers trust the shape of an answer: a missing or foreign field ends in one of these.
        InvalidOperationException or KeyNotFoundException or FormatException or ArgumentException when exception.StackTrace?.Contains("Azure.") is true
            => new(FailureKind.NotAzure, "the answer has another shape: " + FirstLine(exception.Message)),
        _ => null,
    };

    /// <summary>From the status of a thing that could not be made, where no answer has told it.</summary>
    internal static AzureFailure FromCode(string code, string message) => new(KindOf(200, [code], message, null), $"{code}: {message}");

    private static AzureFailure FromAnswer(RequestFailedException failed, DateTimeOffset now)
    {
        var answer = failed.GetRawResponse();
        var codes = Codes(answer, failed.ErrorCode);
        var wait = Wait(answer?.Headers, now);
        var text = FirstLine(failed.Message);
        return new(KindOf(failed.Status, codes, failed.Message, wait), codes.Count == 0 ? $"{failed.Status}: {text}" : $"{string.Join(" > ", codes)}: {text}") { RetryAfter = wait };
    }

    private static FailureKind KindOf(int status, IReadOnlyList<string> codes, string message, TimeSpan? wait)
    {
        // An operation that ends badly answers 200: the code decides before the status.
        foreach (var code in codes.Reverse())
        {
            switch (code)
            {
                case "AllocationFailed" or "ZonalAllocationFailed" or "OverconstrainedAllocationRequest" or "OverconstrainedZonalAllocationRequest":
                    return FailureKind.Capacity;
                case "SkuNotAvailable":
                    return FailureKind.Size;
                case "RequestDisallowedByPolicy":
                    return FailureKind.Policy;
                case "QuotaExceeded":
                    return FailureKind.Quota;
                case "TooManyRequests":
                    return FailureKind.Throttled;
                // This one code means throttling, quota, and other things that are the caller's fault.
                case "OperationNotAllowed" when message.Contains("quota", StringComparison.OrdinalIgnoreCase):
                    return FailureKind.Quota;
                // A cluster: "another operation (…) is in progress, please wait for it to finish".
                case "OperationNotAllowed" when message.Contains("in progress", StringComparison.OrdinalIgnoreCase):
                    return FailureKind.Busy;
                case "OperationNotAllowed" when wait is not null:
                    return FailureKind.Throttled;
                case "AuthorizationFailed" or "LinkedAuthorizationFailed":
                    return FailureKind.Permission;
                case "Conflict" or "OperationPreempted" or "AnotherOperationInProgress":
                    return FailureKind.Busy;
                case "InternalServerError" or "InternalExecutionError" or "InternalOperationError" or "VMStartTimedOut" or "ServerTimeout":
                    return FailureKind.Unavailable;
            }
        }

        return status switch
        {
            429 => FailureKind.Throttled,
            401 => FailureKind.Identity,
            403 => FailureKind.Permission,
            404 => FailureKind.Missing,
            409 when codes.Count == 0 => FailureKind.Busy,
            0 or 408 or >= 500 => FailureKind.Unavailable,
            >= 200 and < 400 when codes.Count == 0 => FailureKind.NotAzure,
            _ => FailureKind.Refused,
        };
    }

    /// <summary>Outermost first: Azure wraps the code that matters in one that doesn't.</summary>
    private static IReadOnlyList<string> Codes(Response? answer, string? outer)
    {
        var codes = new List<string>();
        if (Body.Read(answer?.Content.ToMemory() ?? default).Value is { } json)
        {
            Collect(json["error"] as JsonObject ?? json, codes);
        }

        if (codes.Count == 0 && outer is not null)
        {
            codes.Add(outer);
        }

        return codes;
    }

    private static void Collect(JsonObject error, List<string> codes)
    {
        if (error["code"] is JsonValue code && code.GetValueKind() == JsonValueKind.String && code.GetValue<string>() is { Length: > 0 and <= 80 } word)
        {
            codes.Add(word);
        }

        foreach (var inner in new[] { error["details"], error["innererror"] })
        {
            (inner is JsonArray list ? list.Take(5) : [inner]).OfType<JsonObject>().ToList().ForEach(member => Collect(member, codes));
        }
    }

    /// <summary>Seconds or a date; null when absent, negative or neither.</summary>
    private static TimeSpan? Wait(ResponseHeaders? headers, DateTimeOffset now)
    {
        if (headers?.TryGetValue("Retry-After", out var text) is not true)
        {
            return null;
        }

        if (double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var seconds))
        {
            return seconds is >= 0 and <= 1e9 ? TimeSpan.FromSeconds(seconds) : null;
        }

        return DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var date) && date > now ? date - now : null;
    }

    private static string FirstLine(string text)
    {
        var line = text.Split('\n', 2)[0].Trim();
        return line.Length <= 300 ? line : line[..300] + "…";
    }
}
