namespace PerfLab.Workloads.ActorInstrumentation;

/// <summary>The message that is an object of its own; as a record it has a text to be traced with.</summary>
internal sealed record Person(string Name, int Age);
