namespace PerfLab.Lab.Azure;

/// <summary>
/// Repeats what may be repeated. The SDK's own retries are off: they don't cap Retry-After, say nothing while they wait, and count real time.
/// </summary>
internal sealed class PatientCalls(TimeProvider clock, PowerLimits limits, Action<string> say)
{
    /// <param name="call">May be sent twice without harm, or comes with <paramref name="hasHappened"/>.</param>
    /// <param name="deadline">No pause goes beyond it.</param>
    /// <param name="cancellationToken">Ends at once, also a pause.</param>
    /// <param name="hasHappened">Asked before a repetition, because the answer may have been lost after the effect; true ends the call with no answer.</param>
    public async Task<T?> AskAsync<T>(
        Func<CancellationToken, Task<T>> call, DateTimeOffset deadline, CancellationToken cancellationToken, Func<CancellationToken, Task<bool>>? hasHappened = null)
    {
        for (var tries = 1; ; tries++)
        {
            var (answer, exception, failure) = await OnceAsync(call, cancellationToken);
            if (exception is null)
            {
                return answer;
            }

            var pause = PauseAfter(failure!, tries);
            if (pause is null || clock.GetUtcNow() + pause > deadline)
            {
                throw new AzureException(failure!, exception);
            }

            say($"{failure!.Message}; again in {pause.Value.TotalSeconds:0} s");
            await Task.Delay(pause.Value, clock, cancellationToken);
            if (hasHappened is not null && await hasHappened(cancellationToken))
            {
                return default;
            }
        }
    }

    private async Task<(T? Answer, Exception? Exception, AzureFailure? Failure)> OnceAsync<T>(Func<CancellationToken, Task<T>> call, CancellationToken cancellationToken)
    {
        try
        {
            return (await call(cancellationToken), null, null);
        }
        catch (Exception exception) when (AzureFailure.From(exception, clock.GetUtcNow()) is { } failure)
        {
            // Whoever gives up ends with that, whatever the last call came to.
            cancellationToken.ThrowIfCancellationRequested();
            return (default, exception, failure);
        }
    }

    /// <summary>Null when another try makes no sense.</summary>
    private TimeSpan? PauseAfter(AzureFailure failure, int tries)
    {
        if (tries > limits.Pauses.Count)
        {
            return null;
        }

        if (failure.Kind is FailureKind.Throttled)
        {
            var wait = failure.RetryAfter ?? limits.ThrottledPause;
            return wait <= limits.LongestRetryAfter ? wait : null;
        }

        return failure.IsPassing ? limits.Pauses[tries - 1] : null;
    }
}
