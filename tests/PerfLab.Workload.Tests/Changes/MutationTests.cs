using PerfLab.Building.Changes;

namespace PerfLab.Workload.Tests.Changes;

/// <summary>Random edits of one method each. The truth knows nothing of the rule: what the program prints differs.</summary>
public sealed class MutationTests(Lab lab, ITestOutputHelper output)
{
    [Fact]
    public void no_edit_that_changes_what_an_entry_prints_leaves_it_untouched()
    {
        var edits = Nightly.IsAsked ? 500 : 3;
        var program = new MutatedProgram(seed: 1);
        var folder = lab.NewFolder();
        var old = CompiledProgram.Make(Path.Combine(folder, "base"), program.Source());
        var listed = Enumerable.Range(0, MutatedProgram.Entries).Select(entry => old.Listed($"{entry}")).ToList();
        var before = Printed(old);
        var (cells, differs, measured, missed) = (0, 0, 0, new List<string>());
        for (var edit = 1; edit <= edits; edit++)
        {
            var now = CompiledProgram.Make(Path.Combine(folder, $"head{edit}"), program.Edited(edit).Source());
            var (content, after) = (now.Content, Printed(now));
            var change = BuildChange.Of(old.Content, content);
            var rule = new TouchRule(old.Content, content, change);
            change.Everything.ShouldBeEmpty();
            change.Methods.ShouldNotBeEmpty();
            for (var entry = 0; entry < MutatedProgram.Entries; entry++)
            {
                var untouched = rule.OfReference(listed[entry]).Untouched;
                (cells, differs, measured) = (cells + 1, differs + (before[entry] == after[entry] ? 0 : 1), measured + (untouched ? 0 : 1));
                if (untouched && before[entry] != after[entry])
                {
                    missed.Add($"edit {edit}, entry {entry}: {string.Join(", ", change.Methods.Select(part => part.Words))}");
                }
            }

            Directory.Delete(now.Folder, recursive: true);
        }

        output.WriteLine($"{edits} edits, {cells} cells: {differs} print something else, {measured} are measured ({100.0 * measured / cells:0.0} %), {missed.Count} missed");
        missed.ShouldBeEmpty();
        measured.ShouldBeLessThan(cells / 2); // measuring everything would miss nothing, too
        differs.ShouldBeGreaterThan(0);
    }

    private static string[] Printed(CompiledProgram program) => program.Run("all").Split('\n', StringSplitOptions.RemoveEmptyEntries);
}
