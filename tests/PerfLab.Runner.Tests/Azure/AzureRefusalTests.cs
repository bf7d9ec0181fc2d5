using System.Net;
using System.Text.Json.Nodes;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>Sends what Azure refuses to the fake: one that accepted it would prove nothing.</summary>
public sealed class AzureRefusalTests
{
    private readonly LabFixture lab = new();

    private async Task<(HttpStatusCode Status, string? Code, string Message)> SendAsync(string method, string path, string? body, string caller = "lab-power")
    {
        using var answer = lab.Azure.Answer(method, new Uri("https://management.azure.com" + path + "?api-version=2023-07-01"), caller, body);
        var text = await answer.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        var error = text.Length > 0 ? JsonNode.Parse(text)!["error"] : null;
        return (answer.StatusCode, (string?)error?["code"], (string?)error?["message"] ?? "");
    }

    private static string Start(string customData = "I2Nsb3VkLWNvbmZpZwo=") => $$"""{"sku":{"name":"Standard_D4s_v5","capacity":1},"properties":{"virtualMachineProfile":{"osProfile":{"customData":"{{customData}}"} } } }""";

    [Fact]
    public async Task A_reimage_with_other_custom_data_R1()
    {
        lab.RunningUnder(null);

        var (status, _, message) = await SendAsync("POST", lab.Vm.Vms[0].Id + "/reimage", """{"osProfile":{"customData":"b3RoZXI="}}""", "daily shutdown");

        status.ShouldBe(HttpStatusCode.BadRequest);
        message.ShouldBe("Reimage requires the custom data provided should be same as the custom data provided while creating the Virtual Machine.");
    }

    [Fact]
    public async Task Another_image_for_a_machine_that_is_there_R2()
    {
        lab.RunningUnder(null);

        (await SendAsync("PUT", lab.Vm.Vms[0].Id, """{"properties":{"storageProfile":{"imageReference":{"version":"2"}}}}""", "daily shutdown")).Code.ShouldBe("PropertyChangeNotAllowed");
    }

    [Theory]
    [InlineData("Delete", 0)]
    [InlineData("Detach", 1)]
    public async Task A_delete_takes_along_what_says_so_R3(string option, int left)
    {
        lab.RunningUnder(null);
        lab.Azure.ScaleSets.Parts.Add(new FakePart("Microsoft.Network/networkInterfaces", "card", lab.Vm.Vms[0].Id) { DeleteOption = option });

        await SendAsync("DELETE", lab.Vm.Vms[0].Id.ToUpperInvariant().Replace("VIRTUALMACHINES", "virtualMachines", StringComparison.Ordinal), null);
        lab.Clock.Advance(TimeSpan.FromMinutes(1));
        lab.Azure.Settle();

        lab.Vm.Vms.ShouldBeEmpty("names are not case-sensitive");
        lab.Azure.ScaleSets.Left.Count().ShouldBe(left);
    }

    [Fact]
    public async Task Tags_in_an_update_replace_all_tags_R5()
    {
        lab.Vm.Tags["perf-lab:lease"] = "1/1/2026-11-02T09:00:00Z";

        await SendAsync("PATCH", lab.Vm.Id, """{"tags":{"owner":"me"}}""");

        lab.Vm.Tags.Keys.ShouldBe(["owner"]);
    }

    [Fact]
    public async Task Whoever_may_not_do_it_R9()
    {
        (await SendAsync("POST", lab.Vm.Id + "/x/reimage", "{}")).Code.ShouldBe("AuthorizationFailed");
        (await SendAsync("PATCH", lab.Vm.Id, Start(), "watchdog")).Code.ShouldBe("AuthorizationFailed");
    }

    [Theory]
    [InlineData("""{"capacity":1}""", "InvalidRequestContent")]
    [InlineData("""{"sku":{"name":"Standard_D4s_v5","capacity":1,"count":1}}""", "InvalidRequestContent")]
    [InlineData("""{"properties":{"virtualMachineProfile":{"osProfile":{"customdata":"QQ=="}}}}""", "InvalidRequestContent")]
    [InlineData("""{"properties":{"osProfile":{"customData":"QQ=="}}}""", "InvalidRequestContent")]
    [InlineData("not json", "InvalidRequestContent")]
    [InlineData("""{"sku":{"capacity":1}}""", "InvalidParameter")]
    public async Task A_member_that_is_unknown_or_missing(string body, string code)
    {
        (await SendAsync("PATCH", lab.Vm.Id, body)).Code.ShouldBe(code);
        lab.Vm.Capacity.ShouldBe(0);
    }

    [Theory]
    [InlineData("#cloud-config")]
    [InlineData("")]
    public async Task Custom_data_that_is_not_base_64_or_too_long(string text)
    {
        (await SendAsync("PATCH", lab.Vm.Id, Start(text.Length > 0 ? text : new string('A', 87_384)))).Message.ShouldStartWith("Custom data in OSProfile must be in Base64");
    }

    [Fact]
    public async Task A_size_that_the_policy_denies_and_cores_that_the_quota_has_not()
    {
        lab.Azure.ScaleSets.CoreQuota = 3;
        (await SendAsync("PATCH", lab.Vm.Id, Start())).Message.ShouldContain("Current Limit: 3");

        lab.Vm.Size = "Standard_D64s_v5";
        (await SendAsync("PATCH", lab.Vm.Id, Start())).Code.ShouldBe("RequestDisallowedByPolicy");
    }

    [Fact]
    public async Task A_shutdown_of_another_name_and_an_address_that_a_card_still_has()
    {
        const string Schedules = $"{FakeAzure.Group}/providers/Microsoft.DevTestLab/schedules", Task = """{"properties":{"taskType":"ComputeVmShutdownTask"}}""";
        (await SendAsync("PUT", $"{Schedules}/nightly", Task)).Status.ShouldBe(HttpStatusCode.BadRequest);
        (await SendAsync("PUT", $"{Schedules}/shutdown-computevm-a", Task.Replace("Task\"", "\"", StringComparison.Ordinal))).Status.ShouldBe(HttpStatusCode.BadRequest);
        (await SendAsync("PUT", $"{Schedules}/shutdown-computevm-a", Task)).Status.ShouldBe(HttpStatusCode.Created);
        lab.Azure.ScaleSets.Parts.Clear();
        lab.Azure.ScaleSets.HasDevTestLab = false;
        (await SendAsync("PUT", $"{Schedules}/shutdown-computevm-a", Task)).Code.ShouldBe("MissingSubscriptionRegistration");

        lab.Azure.ScaleSets.Parts.AddRange([new("Microsoft.Network/networkInterfaces", "lab-1-card-1", vm: null), new("Microsoft.Network/publicIPAddresses", "lab-1-address-1", vm: null)]);
        (await SendAsync("DELETE", lab.Azure.ScaleSets.Parts[1].Id, null)).Code.ShouldBe("PublicIPAddressCannotBeDeleted");
        lab.Azure.ScaleSets.Parts[0].Vm = "somebody";
        (await SendAsync("DELETE", lab.Azure.ScaleSets.Parts[0].Id, null)).Code.ShouldBe("NicInUse");
    }
}
