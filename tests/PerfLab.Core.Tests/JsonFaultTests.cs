using System.Text.Json;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;

namespace PerfLab.Core.Tests;

public sealed class JsonFaultTests
{
    private static readonly JsonSerializerOptions Strict = new(JsonSerializerDefaults.Web)
    {
        AllowDuplicateProperties = false,
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
        RespectRequiredConstructorParameters = true,
    };

    private sealed record Inner(string Name);

    private sealed record Outer(int Count, Inner Inner);

    [Theory]
    [InlineData("", "line 1, the file: empty")]
    [InlineData("{}", "line 1, the file: without count, inner")]
    [InlineData("{\n\"count\": \"x\"}", "line 2, count: not the kind of value that belongs here")]
    [InlineData("{\"count\": 1, \"count\": 2}", "line 1, count: written twice")]
    [InlineData("{\"count\": 1, \"inner\": {\"nam\": \"x\"}}", "line 1, inner.nam: unknown member")]
    [InlineData("nope", "line 1, the file: 'nope' is an invalid JSON literal. Expected the literal 'null'.")]
    public void A_fault_is_told_by_line_and_member_without_our_types(string text, string expected)
    {
        var fault = Should.Throw<JsonException>(() => JsonSerializer.Deserialize<Outer>(text, Strict));

        JsonFault.Text(fault).ShouldBe(expected);
    }
}
