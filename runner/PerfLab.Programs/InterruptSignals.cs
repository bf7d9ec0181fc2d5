using System.Runtime.InteropServices;

namespace PerfLab.Programs;

/// <summary>Ctrl-C and SIGTERM end the program cleanly: the running launch is removed, what was measured stays. A second one ends it at once.</summary>
public sealed class InterruptSignals : IDisposable
{
    private readonly CancellationTokenSource _source = new();
    private readonly List<PosixSignalRegistration> _registrations = [];

    public InterruptSignals()
    {
        foreach (var signal in new[] { PosixSignal.SIGINT, PosixSignal.SIGTERM, PosixSignal.SIGHUP })
        {
            _registrations.Add(PosixSignalRegistration.Create(signal, context =>
            {
                context.Cancel = !_source.IsCancellationRequested;
                _source.Cancel();
            }));
        }
    }

    /// <summary>Cancelled by the first signal.</summary>
    public CancellationToken Token => _source.Token;

    public void Dispose()
    {
        _registrations.ForEach(registration => registration.Dispose());
        _source.Dispose();
    }
}
