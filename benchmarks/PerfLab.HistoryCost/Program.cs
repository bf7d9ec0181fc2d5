using System.Globalization;
using PerfLab.HistoryCost;
using static System.FormattableString;

// PerfLab.HistoryCost [SAMPLES]: journals of 200 cells x 28 rounds with SAMPLES numbers in all (10,000,000) are imported into a file, and into
// PostgreSQL when HISTORY_COST_POSTGRES holds a connection string of an empty database.
// PerfLab.HistoryCost site FOLDER [SERIES] [SESSIONS]: a history of 10,000 series x 365 sessions and its site, both left in FOLDER.
if (args is ["site", var kept, .. var sizes])
{
    SiteCost.Run(kept, sizes.Length > 0 ? int.Parse(sizes[0], CultureInfo.InvariantCulture) : 10_000, sizes.Length > 1 ? int.Parse(sizes[1], CultureInfo.InvariantCulture) : 365);
    return 0;
}

var samples = args is [var asked] ? long.Parse(asked, CultureInfo.InvariantCulture) : 10_000_000;
var folder = Directory.CreateTempSubdirectory("history-cost-").FullName;
try
{
    var journals = Journals.Write(folder, samples);
    Console.WriteLine(Invariant($"{journals.Count} sessions of {Journals.Cells} cells, {journals.Bytes >> 20} MiB of journals"));
    Console.WriteLine("| database | samples | import | samples/s | processor time | newest 90 days of a series | size |");
    Console.WriteLine("|---|---|---|---|---|---|---|");
    var file = Path.Combine(folder, "history.db");
    Console.WriteLine(Measured.Row("SQLite", new(file), journals.Folder, () => new FileInfo(file).Length));
    if (Environment.GetEnvironmentVariable("HISTORY_COST_POSTGRES") is { Length: > 0 } server)
    {
        Console.WriteLine(Measured.Row("PostgreSQL", new(null, server), journals.Folder, null));
    }

    return 0;
}
finally
{
    Directory.Delete(folder, recursive: true);
}
