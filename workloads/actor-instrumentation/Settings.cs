using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>What is instrumented, and who reads it.</summary>
internal sealed class Settings
{
    private Settings(string instrumentation, string reader, bool sampled, bool cached, int messages)
    {
        Metrics = instrumentation is "metrics" or "both";
        Tracing = instrumentation is "tracing" or "both";
        Reader = reader;
        Sampled = sampled;
        Cached = cached;
        Messages = messages;
    }

    /// <summary>Whether messages are counted and timed.</summary>
    public bool Metrics { get; }

    /// <summary>Whether each message has a span.</summary>
    public bool Tracing { get; }

    /// <summary>opentelemetry, listener or none.</summary>
    public string Reader { get; }

    /// <summary>Whether the sampler takes every span, or none.</summary>
    public bool Sampled { get; }

    /// <summary>Whether names and paths are formatted once, and the message's text is left out; otherwise for each message.</summary>
    public bool Cached { get; }

    /// <summary>Messages of a run of the faithful protocol.</summary>
    public int Messages { get; }

    /// <summary>Whether somebody must see spans.</summary>
    public bool SpansAreSeen => Tracing && Sampled && Reader != "none";

    /// <summary>Whether somebody must see measurements.</summary>
    public bool MetricsAreSeen => Metrics && Reader != "none";

    /// <summary>What the launch asks for; checks every parameter.</summary>
    public static Settings From(Parameters parameters)
    {
        var settings = new Settings(
            parameters.Choice("instrumentation", "off", "metrics", "tracing", "both"),
            parameters.Choice("reader", "opentelemetry", "listener", "none"),
            parameters.Choice("sampling", "all", "none") == "all",
            parameters.Choice("names", "formatted", "cached") == "cached",
            parameters.Integer("messages", standard: 3_000_000, minimum: 3000, maximum: 300_000_000));
        parameters.Check();
        return settings.Messages % 3 == 0
            ? settings
            : throw new RefusedException($"parameter 'messages' is '{settings.Messages}', which is not a multiple of three: there are three kinds of message.");
    }
}
