using System.Globalization;
using PerfLab.WorkloadKit;
using PerfLab.Workloads.Actors;

namespace PerfLab.Workloads.ActorSweep;

/// <summary>
/// The protocol of Pigeon's sweep: 1 to 19 pairs, ascending, in one process that nobody warmed; it ends after four cells in a row that do not
/// beat the best so far. Milliseconds and integer division; the clock starts when the clients have been told to begin.
/// </summary>
internal static class Faithful
{
    private const int MostPairs = 19;
    private const int Patience = 4;

    public static void Measure(Launch launch, Settings settings)
    {
        // The answer that is checked beforehand: one exchange comes home. It is less than a millisecond of work, and no warm-up.
        FaithfulCell.Rate(launch, Framework.Start(settings.Pairs(1), share: 1), repeat: 1, clockAfterRun: true);

        var rates = new List<double>();
        var best = 0;
        while (rates.Count < MostPairs && rates.Count - best < Patience)
        {
            var pairs = rates.Count + 1;
            rates.Add(FaithfulCell.Rate(launch, Framework.Start(settings.Pairs(pairs), settings.Repeat / pairs), settings.Repeat, clockAfterRun: true));
            best = rates[pairs - 1] > (best == 0 ? 0 : rates[best - 1]) ? pairs : best;
        }

        launch.Report("peak", rates.Max(), "msg/s");
        launch.Report("two-actors", rates[0], "msg/s");
        launch.Prove("actorsAtPeak", (2 * best).ToString(CultureInfo.InvariantCulture));
        launch.Prove("cells", string.Join(" ", rates.Select(rate => (rate / 1e6).ToString("F3", CultureInfo.InvariantCulture))));
        launch.ReportWindows("peak", rates);
    }
}
