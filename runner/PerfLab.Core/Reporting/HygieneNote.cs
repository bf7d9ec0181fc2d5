namespace PerfLab.Core.Reporting;

/// <summary>What the machine was like while values were taken: one line for everybody, the list for who doubts.</summary>
/// <param name="Line">Our own words: "31 ok, 2 warnings, 0 blocks repeated".</param>
/// <param name="Items">Everything that was looked at. Untrusted.</param>
public sealed record HygieneNote(string Line, IReadOnlyList<HygieneItem> Items);

/// <summary>One thing that was looked at.</summary>
/// <param name="NeedsAttention">Whether it was more than recorded.</param>
/// <param name="Text">What was found, in one sentence. Untrusted.</param>
public sealed record HygieneItem(bool NeedsAttention, string Text);
