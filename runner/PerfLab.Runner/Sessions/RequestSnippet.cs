using System.ComponentModel.DataAnnotations;
using PerfLab.Core.Files;

namespace PerfLab.Runner.Sessions;

/// <summary>Benchmarks in C# below a `/benchmark`, as a stranger wrote them: built and run like code of the pull request.</summary>
/// <param name="Comment">Id of the comment that holds it; of a repeated request that of an earlier one.</param>
/// <param name="Text">At most 16 KiB in UTF-8.</param>
/// <param name="Benchmarks">Full names, as the gate read them in the text.</param>
internal sealed record RequestSnippet(
    [AtLeast(1)] long Comment,
    [Length(1, 16 << 10)] string Text,
    [Length(1, 50)]
    [RegularExpression(@"^[A-Za-z0-9_.+(): ,""-]{1,200}$", ErrorMessage = "a benchmark's full name")]
    IReadOnlyList<string> Benchmarks);
