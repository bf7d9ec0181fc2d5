using System.Runtime.CompilerServices;

namespace PerfLab.Core.Files;

/// <summary>The way through a file: where we are, and what was wrong. Nothing is repeated as it came: a file may be hostile.</summary>
/// <param name="whole">"the file".</param>
internal sealed class Validation(string whole = "the file")
{
    private const int MostListed = 50;
    private const int MostFound = 1000;
    private const int LongestName = 60;

    private readonly List<(string? Name, int Index)> _path = [];
    private readonly List<Problem> _listed = [];
    private int _found;

    /// <summary>Nobody reads on: the rest of the file is not looked at.</summary>
    public bool IsFull => _found >= MostFound;

    public bool HasProblems => _found > 0;

    public IReadOnlyList<Problem> Problems => _found == _listed.Count ? _listed : [.. _listed, new(whole, More)];

    private string More => Invariant($"and {(IsFull ? "at least " : "")}{_found - _listed.Count} more problems");

    /// <summary>"cells[3].verdict".</summary>
    public string Path
    {
        get
        {
            var path = new StringBuilder();
            foreach (var (name, index) in _path)
            {
                _ = name is null ? path.Append(CultureInfo.InvariantCulture, $"[{index}]")
                    : path.Append(path.Length == 0 ? "" : ".").Append(Shown(name));
            }

            return path.ToString();
        }
    }

    [MethodImpl(Optimize.AtFirstCall)]
    public void Enter(string name) => _path.Add((name, 0));

    public void Enter(int index) => _path.Add((null, index));

    [MethodImpl(Optimize.AtFirstCall)]
    public void Leave() => _path.RemoveAt(_path.Count - 1);

    public void Add(string what, string? suggestion = null) => Add(Path, what, suggestion);

    public void Add(string where, string what, string? suggestion)
    {
        if (++_found <= MostListed)
        {
            _listed.Add(new(where.Length == 0 ? whole : where, what, suggestion));
        }
    }

    /// <summary>What somebody else wrote, as much of it as can do no harm on a terminal or a page.</summary>
    public static string Shown(string text, int most = LongestName)
    {
        var start = text.Length > most ? string.Concat(text.AsSpan(0, most), "...") : text;
        return string.Concat(start.Select(letter => letter is >= ' ' and <= '~' and not ('<' or '>' or '`' or '|') ? letter : '?'));
    }
}
