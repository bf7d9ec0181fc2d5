using System.Globalization;
using PerfLab.EvidenceCost;

// Usage: overhead [workload] [runtime patch] [rounds] [seed] | parse | trace [seconds]. Run from the repository's root. Prints Markdown.
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
string Argument(int place, string standard) => args.Length > place ? args[place] : standard;
switch (Argument(0, ""))
{
    case "overhead":
        await (Argument(1, "calibrated-spin") == "channel-actors" ? Overhead.Threads : Overhead.OneThread)
            .RunAsync(Argument(2, "10.0.14"), int.Parse(Argument(3, "20"), CultureInfo.InvariantCulture), ulong.Parse(Argument(4, "1"), CultureInfo.InvariantCulture));
        return 0;
    case "parse":
        await ParseCost.RunAsync();
        return 0;
    case "trace":
        await TraceCost.RunAsync(int.Parse(Argument(1, "60"), CultureInfo.InvariantCulture));
        return 0;
    default:
        Console.Error.WriteLine("usage: PerfLab.EvidenceCost overhead [channel-actors|calibrated-spin] [patch] [rounds] [seed] | parse | trace [seconds]");
        return 2;
}
