using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Runner.Tests.Schemas;

/// <summary>The schemas in schemas/ are made from the records that the runner reads and writes with.</summary>
public sealed class GeneratedSchemaTests
{
    private const string Rewrite = "PERF_LAB_WRITE_SCHEMAS";

    [Theory]
    [MemberData(nameof(Formats.Names), MemberType = typeof(Formats))]
    public void the_schema_is_what_the_record_says(string name)
    {
        var file = $"schemas/{Formats.SchemaOf(name)}.schema.json";
        var path = Path.Combine(Repository.Root, file);
        var generated = Formats.All[name].Format.JsonSchema(Documentation.Of);
        if (Environment.GetEnvironmentVariable(Rewrite) == "1")
        {
            File.WriteAllText(path, generated);
        }

        (File.Exists(path) && File.ReadAllText(path) == generated).ShouldBeTrue(
            $"{file} is not what its record says. Write it anew, and look at the difference:\n"
            + $"  {Rewrite}=1 dotnet run --project tests/PerfLab.Runner.Tests -c Release -- -class '*GeneratedSchemaTests'\n"
            + "  git diff schemas");
    }
}
