using System.Text.Json.Nodes;
using PerfLab.Building;
using PerfLab.Launching.Proof;

namespace PerfLab.Runner.Tests.Evidence;

public sealed class PackageEvidenceTests
{
    private static readonly PackageAssembly Json = new("Newtonsoft.Json", "13.0.3+0a2e291c", "13.0.0.0") { Package = "Newtonsoft.Json", Version = "13.0.3" };

    [Theory]
    [InlineData("13.0.3+0a2e291c", null)]
    [InlineData("13.0.0.0", null)] // an assembly that says no other
    [InlineData("12.0.3+7c3d7f8d", "planned package Newtonsoft.Json 13.0.3, whose Newtonsoft.Json is 13.0.3+0a2e291c; it loaded 12.0.3+7c3d7f8d")]
    [InlineData("13.0.3", "planned package Newtonsoft.Json 13.0.3, whose Newtonsoft.Json is 13.0.3+0a2e291c; it loaded 13.0.3")]
    public void what_a_launch_loaded_is_what_its_arm_names_or_the_launch_is_refused(string loaded, string? disagreement)
    {
        var (said, proof) = PackageEvidence.Of([Json], Reported(("System.Memory", "1"), ("Newtonsoft.Json", loaded)));
        said.ShouldBe(disagreement);
        proof!["Newtonsoft.Json"]!.ToJsonString().ShouldBe($$"""{"planned":"13.0.3","is":"{{loaded.Replace("+", "\\u002B")}}"}""");
    }

    [Fact]
    public void what_was_not_loaded_is_not_proven()
    {
        var (said, proof) = PackageEvidence.Of([Json], Reported(("Other", "1")));
        (said, proof!["Newtonsoft.Json"]!["is"]).ShouldBe((null, null));
    }

    [Theory]
    [InlineData("{}")]
    [InlineData("""{"assemblies":1}""")]
    [InlineData("""{"assemblies":[1,{},{"name":7,"version":"x"},{"name":"Newtonsoft.Json"}]}""")]
    public void a_report_of_any_form_is_read(string reported) =>
        PackageEvidence.Of([Json], JsonNode.Parse(reported)!.AsObject()).Disagreement.ShouldBeNull();

    private static JsonObject Reported(params (string Name, string Version)[] assemblies) => new()
    {
        ["assemblies"] = new JsonArray([.. assemblies.Select(one => new JsonObject { ["name"] = one.Name, ["version"] = one.Version })]),
    };
}
