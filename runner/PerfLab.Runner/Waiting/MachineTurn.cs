namespace PerfLab.Runner.Waiting;

/// <summary>The machine's lock in the hands of one session, which gives it back while it only waits: then others may measure.</summary>
internal sealed class MachineTurn : IDisposable
{
    private readonly Func<CancellationToken, Task<IDisposable>> _take;
    private IDisposable? _held;

    private MachineTurn(IDisposable held, Func<CancellationToken, Task<IDisposable>> take) => (_held, _take) = (held, take);

    /// <param name="take">Waits in the line of those who want it.</param>
    /// <param name="cancellationToken">Ends that wait.</param>
    public static async Task<MachineTurn> TakeAsync(Func<CancellationToken, Task<IDisposable>> take, CancellationToken cancellationToken) =>
        new(await take(cancellationToken), take);

    /// <summary>Waits without the lock, and has it again afterwards.</summary>
    public async Task WithoutAsync(Func<Task> wait, CancellationToken cancellationToken)
    {
        Dispose();
        await wait();
        _held = await _take(cancellationToken);
    }

    public void Dispose()
    {
        _held?.Dispose();
        _held = null;
    }
}
