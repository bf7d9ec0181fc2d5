namespace PerfLab.Core.Journal;

/// <summary>A record that can't be believed, and why.</summary>
public sealed class BadRecordException(string message) : Exception(message);
