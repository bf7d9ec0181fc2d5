using System.Text.Json.Nodes;
using PerfLab.Core.Requests;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Runner.Azure;
using PerfLab.Runner.Manifests;
using PerfLab.Runner.Tests.Schemas;

namespace PerfLab.Runner.Tests.Azure;

public sealed class LabFileTests
{
    /// <summary>The outputs of a stack with one Azure machine and one metal agent.</summary>
    public static string Sample { get; } = $$"""
        {
          "schema": "perf-lab/lab/1", "stack": "dev", "tenantId": "11111111-1111-4111-8111-111111111111",
          "subscriptionId": "{{FakeAzure.Subscription}}", "resourceGroup": "perf-lab", "location": "westeurope",
          "shutdown": { "time": "0300", "timeZone": "UTC" },
          "identities": {
            "power": { "clientId": "22222222-2222-4222-8222-222222222222", "environment": "perf-lab" },
            "sign": { "clientId": "33333333-3333-4333-8333-333333333333", "environment": "perf-lab" },
            "provision": { "clientId": "44444444-4444-4444-8444-444444444444", "environment": "perf-lab-setup" }
          },
          "githubApp": { "id": 1, "installation": 2, "key": "https://perf-lab.vault.azure.net/keys/github-app" },
          "machines": [
            { "name": "lab-1", "kind": "azure", "size": "Standard_D4s_v5", "id": "/subscriptions/{{FakeAzure.Subscription}}/resourceGroups/perf-lab/providers/Microsoft.Compute/virtualMachines/lab-1" },
            { "name": "ryzen", "kind": "metal", "host": "10.0.0.5", "port": 22, "user": "lab", "hostKey": "ssh-ed25519 AAAA" }
          ],
          "cluster": null
        }
        """;

    private static (LabFile? File, List<Problem> Problems) Parse(string text)
    {
        var problems = new List<Problem>();
        return (LabFile.Parse(text, [new MachineDefinition { Name = "lab-1", Kind = "azure", PricePerHour = 0.19 }], problems), problems);
    }

    [Fact]
    public void The_outputs_of_a_stack_are_understood()
    {
        var (file, problems) = Parse(Sample);

        problems.ShouldBeEmpty();
        file!.Machines.ShouldHaveSingleItem().ShouldBe(FakeAzure.Machine());
        file.MetalMachines.ShouldBe(["ryzen"]);
        file.DailyShutdown.ShouldBe("0300 UTC");
    }

    /// <summary>A test of infra/ writes that example from the outputs of the real program.</summary>
    [Fact]
    public void The_outputs_of_the_pulumi_program_are_understood()
    {
        var (file, problems) = Parse(Repository.Read("tests/fixtures/formats/lab.json"));

        problems.ShouldBeEmpty();
        var machine = file!.Machines.ShouldHaveSingleItem();
        machine.Name.ShouldBe("azure-d4s");
        machine.VmName.ShouldBe("azure-d4s");
        machine.ResourceGroup.ShouldBe(file.ResourceGroup);
        machine.SubscriptionId.ShouldBe(file.SubscriptionId);
        file.MetalMachines.ShouldBe(["ryzen"]);
        file.DailyShutdown.ShouldBe("0300 UTC");
        file.PowerClientId.Length.ShouldBe(36);
    }

    [Fact]
    public void The_sample_of_these_tests_follows_the_schema() => new JsonSchemaFile("lab").Mistakes(Sample).ShouldBeEmpty();

    [Fact]
    public void All_problems_are_told_at_once()
    {
        var json = JsonNode.Parse(Sample)!.AsObject();
        json["schema"] = "perf-lab/lab/2";
        json.Remove("tenantId");
        json["machines"]![0]!["id"] = "/subscriptions/x/resourceGroups/y/providers/Microsoft.Storage/storageAccounts/z";
        json["machines"]![1]!["kind"] = "cloud";

        var (file, problems) = Parse(json.ToJsonString());

        file.ShouldBeNull();
        problems.Count.ShouldBe(4);
    }

    [Theory]
    [InlineData("")]
    [InlineData("null")]
    [InlineData("[]")]
    [InlineData("{\"machines\":7}")]
    [InlineData("{\"machines\":[null,3,{}],\"identities\":[],\"shutdown\":\"\"}")]
    public void What_is_no_stack_output_is_a_problem_not_a_crash(string text) => Parse(text).Problems.ShouldNotBeEmpty();
}
