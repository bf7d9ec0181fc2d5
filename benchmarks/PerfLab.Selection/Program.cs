using System.Globalization;
using PerfLab.Selection;

// Usage: choose PLAN TOUCHES | lists ROUNDS SEED PLAN…
// Each plan.json lies beside its builds.json; the scripts benchmarks/selection-commits and benchmarks/selection-lists make them.
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
switch (args)
{
    case ["choose", var plan, var touches]:
        Console.WriteLine(await Choice.OfAsync(plan, touches));
        return 0;
    case ["lists", var rounds, var seed, .. var plans]:
        foreach (var plan in plans)
        {
            Console.WriteLine(await ListCost.RowAsync(
                plan, int.Parse(rounds, CultureInfo.InvariantCulture), ulong.Parse(seed, CultureInfo.InvariantCulture)));
        }

        return 0;
    default:
        Console.Error.WriteLine("selection: choose or lists, each by its script in benchmarks/");
        return 2;
}
