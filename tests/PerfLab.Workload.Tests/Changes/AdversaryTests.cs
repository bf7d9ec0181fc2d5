using PerfLab.Building.Changes;

namespace PerfLab.Workload.Tests.Changes;

/// <summary>Changes that a comparison of bodies alone would miss, each compiled, run and judged.</summary>
public sealed class AdversaryTests(Lab lab)
{
    /// <summary>They reach every method of a program.</summary>
    private static readonly string[] OfAll =
        ["module initialiser", "module initialiser changed", "module initialiser deleted", "debuggable"];

    // In the file, those of a kind stand together.
    public static TheoryData<string> Names =>
    [
        .. Adversary.All.Where((adversary, place) => Nightly.IsAsked || place % 3 == 0 || OfAll.Contains(adversary.Name))
            .Select(adversary => adversary.Name),
    ];

    [Theory]
    [MemberData(nameof(Names))]
    public void what_the_change_can_touch_is_measured_and_what_stands_beside_it_is_not(string name)
    {
        var adversary = Adversary.All.Single(one => one.Name == name);
        var folder = lab.NewFolder();
        var (old, now) = (CompiledProgram.Make(Path.Combine(folder, "base"), adversary.Base), CompiledProgram.Make(Path.Combine(folder, "head"), adversary.Head));
        var change = BuildChange.Of(old.Content, now.Content);
        var rule = new TouchRule(old.Content, now.Content, change);

        Asked("E0").ShouldBe(adversary.Expected, $"{string.Join("; ", change.Everything)} {string.Join(", ", change.Methods.Select(part => part.Id))}");
        Asked("E1").ShouldBe(OfAll.Contains(name) ? "measured" : "untouched");

        if (adversary.Expected == "measured" && change.Everything.Count == 0)
        {
            // A head that writes what it likes: base's own list, of the methods that head has.
            var lie = old.Listed("E0").Where(now.Content.Index.Methods.ContainsKey).ToHashSet();
            rule.Of(old.Listed("E0"), lie).Untouched.ShouldBeFalse("head wrote base's list");
        }

        string Asked(string entry) =>
            change.Everything.Count > 0 ? "measured" : rule.Of(old.Listed(entry), now.Listed(entry)).Untouched ? "untouched" : "measured";
    }
}
