namespace PerfLab.Machine.Hygiene;

/// <summary>What a finding means for a session.</summary>
public enum HygieneSeverity { Ok, Record, Warn, Refuse }

/// <summary>One line of a row of the hygiene table, judged.</summary>
/// <param name="Row">Its number in docs/machine.md.</param>
/// <param name="Name">What was looked at.</param>
/// <param name="Value">What was found: a value, "absent" or "unknown".</param>
/// <param name="Severity">What follows.</param>
/// <param name="Fix">What is wrong and what to do; null when nothing is.</param>
public sealed record HygieneFinding(int Row, string Name, string Value, HygieneSeverity Severity = HygieneSeverity.Record, string? Fix = null);
