using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Http;

namespace PerfLab.Workloads.HttpLoopback;

/// <summary>What is asked for and what must come back, byte for byte.</summary>
internal abstract class Endpoint(string path, string body)
{
    public static readonly Endpoint Plaintext = new PlaintextEndpoint();
    public static readonly Endpoint Json = new JsonEndpoint();

    public string Path { get; } = path;

    public byte[] Body { get; } = Encoding.UTF8.GetBytes(body);

    public static Endpoint Of(string name) => name == "json" ? Json : Plaintext;

    public abstract Task AnswerAsync(HttpResponse response);

    private sealed class PlaintextEndpoint() : Endpoint("/plaintext", "Hello, World!")
    {
        public override Task AnswerAsync(HttpResponse response)
        {
            response.ContentType = "text/plain";
            response.ContentLength = Body.Length;
            return response.Body.WriteAsync(Body).AsTask();
        }
    }

    private sealed class JsonEndpoint() : Endpoint("/json", """{"message":"Hello, World!"}""")
    {
        public override Task AnswerAsync(HttpResponse response)
        {
            // Serialised anew for every request, as a service would.
            var body = JsonSerializer.SerializeToUtf8Bytes(new Greeting("Hello, World!"), GreetingOptions.Instance);
            response.ContentType = "application/json";
            response.ContentLength = body.Length;
            return response.Body.WriteAsync(body).AsTask();
        }
    }

    private sealed class Greeting(string message)
    {
        public string Message { get; } = message;
    }

    private static class GreetingOptions
    {
        public static readonly JsonSerializerOptions Instance = new() { PropertyNamingPolicy = JsonNamingPolicy.CamelCase };
    }
}
