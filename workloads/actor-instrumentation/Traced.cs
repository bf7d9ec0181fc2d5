using System.Diagnostics;

namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>A message and what its sender was busy with: the envelope of a traced message.</summary>
internal sealed class Traced(object content, Activity? cause)
{
    public object Content => content;

    public Activity? Cause => cause;
}
