namespace PerfLab.Core.Reporting;

/// <summary>A doubt about one row or several.</summary>
/// <param name="Names">The cell, its arms when the doubt is not about all of them, the metric when it is not the primary one. Untrusted.</param>
/// <param name="Text">One sentence. Untrusted: it may quote a journal.</param>
public sealed record RowDoubt(IReadOnlyList<string> Names, string Text);
