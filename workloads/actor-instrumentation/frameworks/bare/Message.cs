using System.Diagnostics;

namespace PerfLab.Workloads.Actors;

/// <summary>What travels: the content, and what its sender was busy with.</summary>
internal readonly struct Message(object content, Activity? cause)
{
    public object Content => content;

    public Activity? Cause => cause;
}
