using System.Globalization;
using PerfLab.Holding;

// Usage: same-program ROUNDS SEED PLAN… | duet ROUNDS RUNS SEED NAME=PLAN… | draw LENGTHS SEED PLAN…
// | table LAUNCHES SEED PLAN | upstream ROUNDS SEED PLAN PROGRAM COLUMN | core-to-core LAUNCHES SEED PLAN
// Each plan.json lies beside its builds.json; the scripts of the same names make them. Prints rows of Markdown tables.
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
switch (args)
{
    case ["same-program", var rounds, var seed, .. var plans]:
        foreach (var plan in plans)
        {
            await SameProgram.RunAsync(Subject.Read(plan), Number(rounds), (ulong)Number(seed));
        }

        return 0;
    case ["duet", var rounds, var runs, var seed, .. var named]:
        foreach (var one in named.Select(name => name.Split('=', 2)))
        {
            await Duet.RunAsync(one[0], Subject.Read(one[1]), Number(rounds), Number(runs), (ulong)Number(seed));
        }

        return 0;
    case ["draw", var lengths, var seed, .. var plans]:
        foreach (var plan in plans)
        {
            await DrawShare.RunAsync(Subject.Read(plan), Number(lengths), (ulong)Number(seed));
        }

        return 0;
    case ["table", var launches, var seed, var plan]:
        await LengthTable.RunAsync(Subject.Read(plan), Number(launches), (ulong)Number(seed));
        return 0;
    case ["upstream", var rounds, var seed, var plan, var program, var column]:
        await Upstream.RunAsync(Subject.Read(plan), program, Number(column), Number(rounds), (ulong)Number(seed));
        return 0;
    case ["core-to-core", var launches, var seed, var plan]:
        await CoreToCore.RunAsync(Subject.Read(plan), Number(launches), (ulong)Number(seed));
        return 0;
    default:
        Console.Error.WriteLine("holding: same-program, duet, draw, table, upstream or core-to-core, each by its script in benchmarks/");
        return 2;
}

static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);
