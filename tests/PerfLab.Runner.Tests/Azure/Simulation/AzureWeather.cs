using System.Net;
using System.Text;
using System.Text.Json.Nodes;

namespace PerfLab.Runner.Tests.Azure.Simulation;

/// <summary>Random bad answers, never more than two in a row to one caller: Azure works, though not well.</summary>
internal sealed class AzureWeather(Random random, FaultRates rates)
{
    private readonly Dictionary<string, int> inARow = new(StringComparer.Ordinal);

    public int Count { get; private set; }

    public HttpResponseMessage? Answer(FakeCall call, Func<HttpResponseMessage> act)
    {
        var roll = random.NextDouble();
        var row = inARow.GetValueOrDefault(call.Caller);
        if (row >= 2 || Pick(roll) is not { } fault)
        {
            inARow[call.Caller] = 0;
            return null;
        }

        inARow[call.Caller] = row + 1;
        Count++;
        return fault switch
        {
            "error" => FakeAzure.Error(HttpStatusCode.InternalServerError, "InternalServerError", "An internal error occurred."),
            "throttled" => FakeAzure.Error(HttpStatusCode.TooManyRequests, "TooManyRequests", "slow down", FormattableString.Invariant($"{random.Next(1, 61)}")),
            "html" => new HttpResponseMessage(HttpStatusCode.OK) { Content = new StringContent("<html>Sign in</html>", Encoding.UTF8, "text/html") },
            _ => Lose(act),
        };
    }

    public JsonObject? StartError() => random.NextDouble() < rates.NoCapacity ? FakeAzure.OperationError("AllocationFailed", "no capacity") : null;

    public string[]? View() => random.NextDouble() < rates.LyingView ? ["ProvisioningState/succeeded"] : null;

    private string? Pick(double roll)
    {
        (string Name, double Rate)[] kinds = [("error", rates.ServerError), ("throttled", rates.Throttled), ("html", rates.Html), ("lost", rates.AnswerLost)];
        foreach (var (name, rate) in kinds)
        {
            if (roll < rate)
            {
                return name;
            }

            roll -= rate;
        }

        return null;
    }

    private static HttpResponseMessage Lose(Func<HttpResponseMessage> act)
    {
        act().Dispose();
        throw new HttpRequestException("the connection was closed before the answer arrived");
    }
}
