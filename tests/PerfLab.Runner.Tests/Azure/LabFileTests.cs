using System.Text;
using System.Text.Json.Nodes;
using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Lab.Power;
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
            { "name": "lab-1", "kind": "azure", "size": "Standard_D4s_v5", "id": "/subscriptions/{{FakeAzure.Subscription}}/resourceGroups/perf-lab/providers/Microsoft.Compute/virtualMachineScaleSets/lab-1" },
            { "name": "ryzen", "kind": "metal", "host": "10.0.0.5", "port": 22, "user": "lab", "hostKey": "ssh-ed25519 AAAA" }
          ],
          "cluster": null
        }
        """;

    /// <summary>The same with a cluster of up to three nodes a pool.</summary>
    public static string WithCluster { get; } = Sample.Replace("\"cluster\": null", $$"""
        "cluster": { "name": "cluster", "id": "/subscriptions/{{FakeAzure.Subscription}}/resourceGroups/perf-lab/providers/Microsoft.ContainerService/managedClusters/cluster",
            "size": "Standard_D4s_v5", "nodes": 3, "pools": { "measured": "sut", "load": "load" } }
        """);

    private static (LabFile? File, List<Problem> Problems) Parse(string text)
    {
        var problems = new List<Problem>();
        return (LabFile.Parse(Encoding.UTF8.GetBytes(text), [new MachineDefinition { Name = "lab-1", Kind = "azure", Size = "Standard_D4s_v5", PricePerHour = 0.19 }], problems), problems);
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

    [Fact]
    public void A_cluster_costs_at_most_what_all_its_nodes_do()
    {
        var (file, problems) = Parse(WithCluster);

        problems.ShouldBeEmpty();
        file!.Cluster.ShouldBe(FakeClusterInAzure.Cluster());
        file.Resources.Select(resource => resource.Name).ShouldBe(["lab-1", "cluster"]);
    }

    [Theory]
    [InlineData("\"nodes\": 3", "\"nodes\": 0", "cluster.nodes: must be a whole number from 1 to 10, is 0")]
    [InlineData("\"nodes\": 3, ", "", "cluster.nodes: is missing")]
    [InlineData("\"nodes\": 3", "\"nodes\": 3, \"nodes\": 4", "cluster.nodes: is there twice")]
    [InlineData("\"nodes\": 3", "\"nodes\": 3, \"node\": 4", "cluster.node: is not known here. Did you mean nodes?")]
    [InlineData("ContainerService/managedClusters", "Compute/virtualMachineScaleSets", "cluster.id: must be the resource id of an AKS cluster")]
    [InlineData("{ \"name\": \"cluster\"", "{ \"name\": \"lab-1\"", "cluster.name: a machine has the name \"lab-1\" too: rename the machine")]
    [InlineData("{ \"name\": \"ryzen\"", "{ \"name\": \"lab-1\"", "machines[1].name: another machine has the name lab-1 too: rename one")]
    public void A_wrong_cluster_is_told(string right, string wrong, string problem)
    {
        WithCluster.ShouldContain(right);

        Parse(WithCluster.Replace(right, wrong)).Problems.ShouldHaveSingleItem().ToString().ShouldBe("lab.json, " + problem);
    }

    [Theory]
    [InlineData("\"cluster\": 7", "cluster: must be an object or null, is a number")]
    [InlineData("\"clusters\": null", "cluster: is missing")]
    public void Null_is_the_only_way_to_have_no_cluster(string text, string problem) =>
        Parse(Sample.Replace("\"cluster\": null", text)).Problems[^1].ToString().ShouldBe("lab.json, " + problem);

    [Fact]
    public void Azure_writes_resource_groups_in_two_ways() => Parse(WithCluster.Replace("resourceGroups", "resourcegroups")).File!.Cluster.ShouldBe(FakeClusterInAzure.Cluster());

    [Fact]
    public void A_byte_order_mark_is_told() => Parse("\uFEFF" + Sample).Problems.ShouldHaveSingleItem().What.ShouldContain("byte order mark");

    /// <summary>A test of infra/ writes that example from the outputs of the real program.</summary>
    [Fact]
    public void The_outputs_of_the_pulumi_program_are_understood()
    {
        var (file, problems) = Parse(Repository.Read("tests/fixtures/formats/lab.json"));

        problems.ShouldBeEmpty();
        var machine = file!.Machines.ShouldHaveSingleItem();
        machine.Name.ShouldBe("azure-d4s");
        machine.AzureName.ShouldBe("azure-d4s");
        machine.ResourceGroup.ShouldBe("perf-lab-dev");
        machine.SubscriptionId.ShouldBe("22222222-2222-4222-8222-222222222222");
        file.Cluster!.Name.ShouldBe("cluster");
        file.Cluster.MostNodes.ShouldBe(6);
        file.MetalMachines.ShouldBe(["ryzen"]);
        file.DailyShutdown.ShouldBe("0300 UTC");
    }

    [Fact]
    public void The_samples_of_these_tests_follow_the_schema() => new[] { Sample, WithCluster }.SelectMany(new JsonSchemaFile("lab").Mistakes).ShouldBeEmpty();

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
