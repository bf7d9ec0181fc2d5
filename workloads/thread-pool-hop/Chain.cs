namespace PerfLab.Workloads.ThreadPoolHop;

/// <summary>One operation: async methods that call one another, of which the innermost hops. It answers <see cref="Answer"/>.</summary>
internal sealed class Chain(int depth, bool hops)
{
    // For small answers the runtime keeps finished tasks; most answers of most programs are no small numbers.
    private const int First = 1000;

    /// <summary>The first method's, and one more of each other.</summary>
    public int Answer => First + depth - 1;

    public Task<int> RunAsync() => StepAsync(depth);

    private async Task<int> StepAsync(int left)
    {
        if (left > 1)
        {
            return 1 + await StepAsync(left - 1);
        }

        if (hops)
        {
            await Task.Yield();
        }

        return First;
    }
}
