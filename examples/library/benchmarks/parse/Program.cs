// A workload without any package: reads its times from the environment, measures, writes result.json (docs/internals/formats.md).
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Library;

const string Input = "1, 22, 333, 4444, 55555";
Repeat("PERF_LAB_WARM_UP");
var (lists, seconds) = Repeat("PERF_LAB_MEASURE");
var result = new
{
    schema = "perf-lab/result/1",
    nonce = Environment.GetEnvironmentVariable("PERF_LAB_NONCE") ?? "",
    measuredSeconds = seconds,
    metrics = new { throughput = new { value = lists / seconds, unit = "list/s" } },
    evidence = new { framework = System.Runtime.InteropServices.RuntimeInformation.FrameworkDescription, gcServer = System.Runtime.GCSettings.IsServerGC, processors = Environment.ProcessorCount },
};
var text = JsonSerializer.Serialize(result);
if (Environment.GetEnvironmentVariable("PERF_LAB_RESULT") is { } path)
{
    File.WriteAllText(path, text);
}
else
{
    Console.WriteLine(text);
}

static (long Lists, double Seconds) Repeat(string variable)
{
    var text = Environment.GetEnvironmentVariable(variable)?.TrimEnd('s') ?? "1";
    var end = TimeSpan.FromSeconds(double.Parse(text, CultureInfo.InvariantCulture));
    var clock = Stopwatch.StartNew();
    var lists = 0L;
    do
    {
        if (Numbers.Sum(Input) != 60_355)
        {
            throw new InvalidOperationException("the library gives a wrong sum");
        }

        lists++;
    }
    while (clock.Elapsed < end);
    return (lists, clock.Elapsed.TotalSeconds);
}
