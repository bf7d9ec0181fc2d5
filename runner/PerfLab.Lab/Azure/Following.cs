using Azure;
using Azure.Core;

namespace PerfLab.Lab.Azure;

/// <summary>
/// How a long-running operation of Azure goes on. Asked by hand: the SDK takes the 200 with which an update of a scale set is accepted for its
/// end, and the reason of a failure would be lost.
/// </summary>
internal sealed class Following(AzureAccess access, TimeProvider clock, PowerLimits limits, Action<string> say)
{
    private readonly ArmCalls arm = new(access);

    /// <summary>Asks the operation, not the machine: Azure's advice against throttling. False when its end could not be learned.</summary>
    /// <exception cref="AzureException">It has failed.</exception>
    public async Task<bool> UntilEndedAsync(Response accepted, DateTimeOffset end, CancellationToken cancellationToken)
    {
        if (!accepted.Headers.TryGetValue("Azure-AsyncOperation", out var text) || arm.OwnAddress(text) is not { } status)
        {
            return false;
        }

        for (var pause = PauseOf(accepted.Headers); clock.GetUtcNow() + pause <= end;)
        {
            await Task.Delay(pause, clock, cancellationToken);
            try
            {
                using var answer = await arm.SendAsync(RequestMethod.Get, status, cancellationToken);
                pause = PauseOf(answer.Headers);
                if (HasEnded(answer))
                {
                    return true;
                }
            }
            catch (Exception exception) when (Reason(exception) is { } failure)
            {
                cancellationToken.ThrowIfCancellationRequested();
                // A status request that failed is not Azure's operation that failed. Whether the status may be read at all with rights on the
                // scale set alone is nowhere written.
                if (!failure.IsPassing && failure.Kind is not (FailureKind.Throttled or FailureKind.Permission or FailureKind.Missing))
                {
                    throw new AzureException(failure, exception);
                }

                say($"{failure.Message}; looking at the machine itself");
                var rest = failure.RetryAfter is { } wait && wait <= limits.LongestRetryAfter ? wait : limits.ViewPause;
                await Task.Delay(rest, clock, cancellationToken);
                return false;
            }
        }

        say($"the start did not end within {limits.OperationDeadline.TotalMinutes:0} min; looking at the machine itself");
        return false;
    }

    private AzureFailure? Reason(Exception exception) => AzureFailure.From(exception, clock.GetUtcNow());

    /// <exception cref="RequestFailedException">It has, and badly.</exception>
    private static bool HasEnded(Response answer)
    {
        var reading = OperationStatus.Format.Read(answer.Content.ToMemory());
        return (reading.Value ?? throw new JsonException(string.Join("; ", reading.Problems))).Status switch
        {
            "Succeeded" => true,
            "Failed" or "Canceled" => throw new RequestFailedException(answer),
            _ => false,
        };
    }

    private static TimeSpan PauseOf(ResponseHeaders headers) =>
        TimeSpan.FromSeconds(headers.TryGetValue("Retry-After", out var text)
            && int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds) ? Math.Clamp(seconds, 1, 30) : 5);
}
