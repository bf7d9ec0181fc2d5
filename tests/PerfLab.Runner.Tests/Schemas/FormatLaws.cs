using System.Text;
using PerfLab.Core.Model;

namespace PerfLab.Runner.Tests.Schemas;

/// <summary>What holds for every format: reader and schema say the same, and hostile text is no more than refused.</summary>
public sealed class FormatLaws
{
    private const int Seeds = 200;

    [Theory]
    [MemberData(nameof(Formats.Names), MemberType = typeof(Formats))]
    public void the_example_is_read(string name) => Formats.Problems(name, Formats.All[name].Example()).ShouldBeEmpty();

    [Theory]
    [MemberData(nameof(Formats.Names), MemberType = typeof(Formats))]
    public void reader_and_schema_agree_on_every_mistake(string name)
    {
        var schema = new JsonSchemaFile(Formats.SchemaOf(name));
        var example = Formats.All[name].Example();
        var refused = 0;
        for (var seed = 0UL; seed < Seeds; seed++)
        {
            var text = new Mutation(example, seed).OfSchema();
            var problems = Formats.Problems(name, Encoding.UTF8.GetBytes(text), withRules: false);
            var mistakes = schema.Mistakes(text);
            (problems.Count == 0).ShouldBe(mistakes.Count == 0, $"seed {seed}: the reader says [{string.Join("; ", problems)}], the schema [{string.Join("; ", mistakes)}] of {text}");
            Formats.Problems(name, text).Count.ShouldBeGreaterThanOrEqualTo(problems.Count);
            refused += Math.Min(1, problems.Count);
        }

        refused.ShouldBeGreaterThan(Seeds / 2);
    }

    [Theory]
    [MemberData(nameof(Formats.Names), MemberType = typeof(Formats))]
    public void text_that_no_schema_judges_is_refused(string name)
    {
        for (var seed = 0UL; seed < Seeds; seed++)
        {
            var text = new Mutation(Formats.All[name].Example(), seed).OfText();
            Formats.Problems(name, text).ShouldNotBeEmpty($"seed {seed}: {text}");
        }
    }

    [Theory]
    [MemberData(nameof(Formats.Names), MemberType = typeof(Formats))]
    public void five_mistakes_are_five_problems(string name)
    {
        var example = Formats.All[name].Example();
        // Members where a format takes any JSON can't be wrong.
        // A record of no kind is not looked at.
        var paths = Mutation.Paths(example).Where(path => path != "kind" && Wheres(name, Mutation.Broken(example, path)) is [var where] && where == path).ToList();
        var random = new SeededRandom(5);
        var chosen = new List<string>();
        while (chosen.Count < Math.Min(5, paths.Count))
        {
            var path = paths[random.Next(paths.Count)];
            if (!chosen.Any(other => path.StartsWith(other, StringComparison.Ordinal) || other.StartsWith(path, StringComparison.Ordinal)))
            {
                chosen.Add(path);
            }
        }

        Wheres(name, Mutation.Broken(example, chosen)).ShouldBe(chosen, ignoreOrder: true);
    }

    private static List<string> Wheres(string name, string text) => [.. Formats.All[name].Format.Problems(Encoding.UTF8.GetBytes(text)).Select(problem => problem.Where)];
}
