using System.Text;
using PerfLab.Core.Model;

namespace PerfLab.Runner.Tests.Schemas;

/// <summary>What holds for every format: reader and schema say the same, and hostile text is no more than refused.</summary>
public sealed class FormatLaws
{
    private const int Seeds = 200;

    [Theory]
    [MemberData(nameof(Formats.NamesWithGarden), MemberType = typeof(Formats))]
    public void the_example_is_read(string name) => Formats.Problems(name, Formats.WithGarden[name].Example()).ShouldBeEmpty();

    [Theory]
    [MemberData(nameof(Formats.NamesWithGarden), MemberType = typeof(Formats))]
    public void reader_and_schema_agree_on_every_mistake(string name)
    {
        var schema = new JsonSchemaFile(name, Formats.WithGarden[name].Format.JsonSchema(_ => null));
        var example = Formats.WithGarden[name].Example();
        var refused = 0;
        for (var seed = 0UL; seed < Seeds; seed++)
        {
            var text = new Mutation(example, seed).OfSchema();
            var problems = Formats.Problems(name, Encoding.UTF8.GetBytes(text), withRules: false);
            var mistakes = schema.Mistakes(text);
            (problems.Count == 0).ShouldBe(
                mistakes.Count == 0,
                $"seed {seed}: the reader says [{string.Join("; ", problems)}], the schema [{string.Join("; ", mistakes)}] of {text}");
            Formats.Problems(name, text).Count.ShouldBeGreaterThanOrEqualTo(problems.Count);
            refused += Math.Min(1, problems.Count);
        }

        refused.ShouldBeGreaterThan(Seeds / 2);
    }

    [Theory]
    [MemberData(nameof(Formats.NamesWithGarden), MemberType = typeof(Formats))]
    public void text_that_no_schema_judges_is_refused(string name)
    {
        for (var seed = 0UL; seed < Seeds; seed++)
        {
            var text = new Mutation(Formats.WithGarden[name].Example(), seed).OfText();
            Formats.Problems(name, text).ShouldNotBeEmpty($"seed {seed}: {text}");
        }
    }

    [Theory]
    [MemberData(nameof(Formats.NamesWithGarden), MemberType = typeof(Formats))]
    public void five_mistakes_are_five_problems(string name)
    {
        var example = Formats.WithGarden[name].Example();
        // Members where a format takes any JSON can't be wrong, and an object of no known kind is not looked into.
        var paths = Mutation.Paths(example)
            .Where(path => path != "kind" && !path.EndsWith(".kind", StringComparison.Ordinal))
            .Where(path => Wheres(name, Mutation.Broken(example, path)).SequenceEqual([path]))
            .ToList();
        var chosen = new List<string>();
        // A member that holds many others comes last: the mistake in it is the only one that is seen there.
        foreach (var path in new SeededRandom(5).Shuffle(paths).OrderBy(path => paths.Count(other => other.StartsWith(path, StringComparison.Ordinal))))
        {
            var isApart = !chosen.Any(other => path.StartsWith(other, StringComparison.Ordinal) || other.StartsWith(path, StringComparison.Ordinal));
            if (isApart && chosen.Count < 5)
            {
                chosen.Add(path);
            }
        }

        chosen.Count.ShouldBe(Math.Min(5, paths.Count));
        Wheres(name, Mutation.Broken(example, chosen)).ShouldBe(chosen, ignoreOrder: true);
    }

    private static List<string> Wheres(string name, string text) =>
        [.. Formats.WithGarden[name].Format.Problems(Encoding.UTF8.GetBytes(text)).Select(problem => problem.Where)];
}
