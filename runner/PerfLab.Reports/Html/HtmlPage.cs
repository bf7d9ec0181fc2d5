using System.Security.Cryptography;
using PerfLab.Reports.Svg;

namespace PerfLab.Reports.Html;

/// <summary>
/// What stands around every page: the head with a policy that lets nothing run but our own script, by its hash. Were a name ever not
/// encoded, the browser would still refuse it.
/// </summary>
public static class HtmlPage
{
    public static string Style { get; } = Resource("page.css") + "\n" + Palette.StyleSheet() + "\n";

    public static string Script { get; } = Resource("page.js");

    /// <summary>A page that needs no other file.</summary>
    public static string SelfContained(string title, Action<HtmlWriter> body) => Render(title, writer => writer
        .Empty("meta", ("http-equiv", "Content-Security-Policy"),
            ("content", $"default-src 'none'; img-src data:; style-src {Hash(Style)}; script-src {Hash(Script)}; "
                + "base-uri 'none'; form-action 'none'"))
        .Own($"<style>{Style}</style>\n"), body, writer => writer.Own($"<script>{Script}</script>\n"));

    /// <summary>A page of a folder that has style and script once, beside it.</summary>
    /// <param name="title">Untrusted.</param>
    /// <param name="root">From the page to the folder: "", "../".</param>
    /// <param name="body">What stands in it.</param>
    public static string OfFolder(string title, string root, Action<HtmlWriter> body) => Render(title, writer => writer
        .Empty("meta", ("http-equiv", "Content-Security-Policy"),
            ("content", "default-src 'none'; style-src 'self' file:; script-src 'self' file:; base-uri 'none'; form-action 'none'"))
        .Empty("link", ("rel", "stylesheet"), ("href", root + "page.css")), body, writer => writer
        .Own($"<script src=\"{root}page.js\"></script>\n"));

    private static string Render(string title, Action<HtmlWriter> head, Action<HtmlWriter> body, Action<HtmlWriter> end)
    {
        var writer = new HtmlWriter().Own("<!doctype html>\n").Open("html", ("lang", "en")).Open("head")
            .Empty("meta", ("charset", "utf-8"));
        head(writer);
        writer.Empty("meta", ("name", "viewport"), ("content", "width=device-width, initial-scale=1"))
            .Empty("meta", ("name", "color-scheme"), ("content", "light dark")).Text("title", title).Close().Open("body")
            .Text("a", "Skip to the content", ("class", "skip"), ("href", "#content"));
        body(writer);
        end(writer);
        return writer.Close().Close().ToString();
    }

    private static string Hash(string text) => $"'sha256-{Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(text)))}'";

    private static string Resource(string name)
    {
        using var stream = typeof(HtmlPage).Assembly.GetManifestResourceStream($"PerfLab.Reports.Html.{name}")!;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}
