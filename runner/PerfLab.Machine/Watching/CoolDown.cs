using PerfLab.Machine.Facts;

namespace PerfLab.Machine.Watching;

/// <summary>
/// Before a block the machine is as warm as it was at the first: within ±3 °C, and after an hour it is given up (Krun's numbers,
/// https://doi.org/10.1145/3133876). Only on metal; a virtual machine shows no temperature.
/// </summary>
internal sealed class CoolDown(MachineFiles files, TimeProvider time)
{
    public const double MostDegrees = 3;
    public static readonly TimeSpan Patience = TimeSpan.FromMinutes(60);
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(5);

    private readonly IReadOnlyList<string> _sensors = Thermometers.Find(files);
    private double? _atFirst;

    /// <summary>Null when the machine is as warm as at first (or shows nothing); otherwise that it never became so.</summary>
    public async Task<string?> WaitAsync(CancellationToken cancellationToken)
    {
        _atFirst ??= Thermometers.Hottest(files, _sensors);
        var started = time.GetTimestamp();
        while (Thermometers.Hottest(files, _sensors) is { } now && _atFirst is { } first && Math.Abs(now - first) > MostDegrees)
        {
            if (time.GetElapsedTime(started) >= Patience)
            {
                return Invariant($"the hottest sensor shows {now:0.0} C, {first:0.0} C at first, and did not come back in {Patience.TotalMinutes:0} minutes");
            }

            await Task.Delay(Pause, time, cancellationToken);
        }

        return null;
    }
}
