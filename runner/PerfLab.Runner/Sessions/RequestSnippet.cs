using System.ComponentModel.DataAnnotations;
using PerfLab.Core.Files;

namespace PerfLab.Runner.Sessions;

/// <summary>Benchmarks in C# below a `/benchmark`, as a stranger wrote them: built and run like code of the pull request.</summary>
/// <param name="Comment">Id of the comment that holds it; of a repeated request that of an earlier one.</param>
/// <param name="Text">At most 16 KiB in UTF-8.</param>
internal sealed record RequestSnippet(
    [AtLeast(1)] long Comment,
    [Length(1, 16 << 10)] string Text);
