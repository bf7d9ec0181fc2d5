using Proto;

namespace PerfLab.Workloads.Actors;

/// <summary>What travels: one shared object a client, which says where it goes back to, as in Proto.Actor's own benchmark.</summary>
internal sealed class Msg(PID sender)
{
    public PID Sender => sender;
}

/// <summary>Tells a client to begin.</summary>
internal sealed class Run;

/// <summary>Asks an actor whether it is there; it answers with the same.</summary>
internal sealed class Started;
