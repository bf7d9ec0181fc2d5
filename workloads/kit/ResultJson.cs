using System.Collections.Generic;

namespace PerfLab.WorkloadKit;

/// <summary>The text of result.json, schema perf-lab/result/1.</summary>
internal static class ResultJson
{
    public static string Write(LaunchResult result, Evidence evidence)
    {
        var json = new JsonBuilder();
        json.Object(null, root =>
        {
            root.Text("schema", "perf-lab/result/1").Text("nonce", result.Nonce).Number("measuredSeconds", result.MeasuredSeconds);
            root.Object("metrics", metrics => result.Metrics.ForEach(metric =>
                metrics.Object(metric.Name, member => member.Number("value", metric.Value).Text("unit", metric.Unit))));
            root.Object("windows", windows => result.Windows.ForEach(window => windows.Array(window.Key, values =>
            {
                foreach (var value in window.Value)
                {
                    values.Number(null, value);
                }
            })));
            root.Object("histograms", histograms => result.Histograms.ForEach(named => Histogram(histograms, named.Key, named.Value)));
            root.Object("evidence", member => Evidence(member, evidence, result));
        });
        return json.ToString();
    }

    private static void Histogram(JsonBuilder json, string name, LatencyHistogram histogram) => json.Object(name, member =>
    {
        // Each pair: the lowest value of a bucket in billionths of the unit, and how many values fell into it.
        member.Text("unit", "s").Integer("digits", 3).Array("counts", counts =>
        {
            foreach (var (nanoseconds, count) in histogram.Buckets())
            {
                counts.Array(null, pair => pair.Integer(null, nanoseconds).Integer(null, count));
            }
        });
    });

    private static void Evidence(JsonBuilder json, Evidence evidence, LaunchResult result)
    {
        json.Text("framework", evidence.Framework).Boolean("gcServer", evidence.GcServer).Text("gcLatencyMode", evidence.GcLatencyMode)
            .Integer("processors", evidence.Processors).Number("processorSeconds", evidence.ProcessorSeconds);
        if (RuntimeFacts.GcMemoryBytes() is { } bytes)
        {
            json.Integer("gcMemoryBytes", bytes);
        }

        json.Object("variables", member =>
        {
            foreach (var variable in evidence.Variables)
            {
                member.Text(variable.Key, variable.Value);
            }
        });
        json.Array("assemblies", items =>
        {
            foreach (var assembly in evidence.Assemblies)
            {
                items.Object(null, item => item.Text("name", assembly.Name).Text("version", assembly.Version).Text("targetFramework", assembly.TargetFramework));
            }
        });
        json.Object("gcConfiguration", member =>
        {
            foreach (var setting in RuntimeFacts.GcConfiguration())
            {
                member.Text(setting.Key, setting.Value);
            }
        });
        json.Object("jit", Jit);
        if (result.Measured is { } measured)
        {
            json.Object("whileMeasuring", member => WhileMeasuring(member, measured));
            json.Object("windows", member => Windows(member, result.WarmUp ?? new TimedWindows([], [], []), result.Elsewhere ?? measured.Series));
        }

        if (result.Rest is { } rest)
        {
            json.Object("rest", member => Rest(member, rest));
        }

        json.Object("threadPool", member =>
        {
            foreach (var figure in RuntimeFacts.Threading())
            {
                member.Integer(figure.Key, figure.Value);
            }
        });
        foreach (var fact in result.Facts)
        {
            json.Text(fact.Key, fact.Value);
        }
    }

    // The whole launch, warm-up first: whether it was steady is judged afterwards, by the lab.
    private static void Windows(JsonBuilder json, TimedWindows warmUp, TimedWindows measured)
    {
        var all = warmUp.Then(measured).Joined();
        json.Number("warmUpSeconds", TimedWindows.Rounded(warmUp.Ends.Count == 0 ? 0 : warmUp.Ends[warmUp.Ends.Count - 1]));
        Numbers(json, "ends", all.Ends);
        Numbers(json, "rates", all.Rates);
        if (RuntimeFacts.CompiledSoFar() >= 0)
        {
            json.Array("compiled", items =>
            {
                foreach (var methods in all.Compiled)
                {
                    items.Integer(null, methods);
                }
            });
        }
    }

    private static void Rest(JsonBuilder json, RestWatch rest)
    {
        json.Boolean("atRest", rest.Why == Restless.No).Number("seconds", TimedWindows.Rounded(rest.Seconds))
            .Number("least", rest.Least).Number("bound", rest.Bound)
            .Number("quiet", rest.Quiet);
        _ = rest.Why switch
        {
            Restless.Compiling => json.Text("why", "compiling"),
            Restless.Trend => json.Text("why", "trend"),
            _ => json.Null("why"),
        };
    }

    private static void Numbers(JsonBuilder json, string name, IReadOnlyList<double> values) => json.Array(name, items =>
    {
        foreach (var value in values)
        {
            items.Number(null, TimedWindows.Rounded(value));
        }
    });

    // Totals of the whole process.
    private static void Jit(JsonBuilder json)
    {
        if (RuntimeFacts.CompiledMethods() is { } methods && RuntimeFacts.CompiledILBytes() is { } bytes && RuntimeFacts.CompilationTime() is { } time)
        {
            json.Integer("methods", methods).Integer("ilBytes", bytes).Number("seconds", time.TotalSeconds);
        }
    }

    private static void WhileMeasuring(JsonBuilder json, Windows measured)
    {
        var runtime = measured.Runtime;
        json.Integer("allocatedBytes", runtime.AllocatedBytes).Integer("gen0", runtime.Gen0).Integer("gen1", runtime.Gen1).Integer("gen2", runtime.Gen2);
        if (runtime.PauseSeconds is { } pause)
        {
            json.Number("pauseSeconds", pause);
        }

        if (runtime.CompiledMethods is { } methods)
        {
            json.Integer("compiledMethods", methods);
        }

        if (runtime.ProcessorSeconds is { } processor)
        {
            json.Integer("units", measured.Count).Number("processorSeconds", processor);
        }
    }
}
