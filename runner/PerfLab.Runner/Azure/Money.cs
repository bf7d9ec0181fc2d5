using System.Globalization;

namespace PerfLab.Runner.Azure;

/// <summary>Estimates in the currency of the subscription, from the price in lab.json. Disks and addresses cost extra, also when idle.</summary>
public static class Money
{
    public static string PerHour(AzureMachine machine) =>
        machine.PricePerHour > 0 ? string.Create(CultureInfo.InvariantCulture, $"{machine.PricePerHour:0.00##} an hour") : "an unknown price";

    /// <summary>"3.21", or "-" without a price.</summary>
    public static string For(AzureMachine machine, double minutes) =>
        machine.PricePerHour > 0 ? (machine.PricePerHour * minutes / 60).ToString("0.00", CultureInfo.InvariantCulture) : "-";
}
