namespace PerfLab.Workloads.Actors;

/// <summary>What travels: one shared object a client, passed by reference, never serialised.</summary>
internal sealed class Msg;

/// <summary>Tells a client to begin.</summary>
internal sealed class Run;

/// <summary>Asks an actor whether it is there; it answers with the same.</summary>
internal sealed class Started;
