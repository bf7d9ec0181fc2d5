namespace PerfLab.History;

/// <summary>A text that is kept beside the sessions.</summary>
/// <param name="Name">Ours, never a journal's.</param>
/// <param name="Updated">Milliseconds since 1970 of the newest session that it knows: of two, the later one counts.</param>
/// <param name="Content">JSON.</param>
internal sealed record Document(string Name, long Updated, string Content);

/// <summary>Texts beside the sessions.</summary>
internal static class Documents
{
    public static Document? Document(this HistoryStore store, string name) => All(store).FirstOrDefault(document => document.Name == name);

    /// <summary>In the order of their names.</summary>
    public static IReadOnlyList<Document> All(HistoryStore store) => store.Do("reading the history", () => store.Database.Rows(
        "SELECT name, updated, content FROM documents ORDER BY name", row =>
            new Document(row.GetString(0), row.GetInt64(1), row.GetString(2))));

    public static void Put(this HistoryStore store, Document document) => store.Do("writing to the history", () =>
    {
        using var transaction = store.Database.BeginWriting();
        store.Database.Run("DELETE FROM documents WHERE name = @name", ("name", document.Name));
        store.Database.Run(
            "INSERT INTO documents (name, updated, content) VALUES (@name, @updated, @content)",
            ("name", document.Name), ("updated", document.Updated), ("content", document.Content));
        transaction.Commit();
    });

    public static void Remove(this HistoryStore store, string name) => store.Do("writing to the history", () =>
    {
        using var transaction = store.Database.BeginWriting();
        store.Database.Run("DELETE FROM documents WHERE name = @name", ("name", name));
        transaction.Commit();
    });
}
