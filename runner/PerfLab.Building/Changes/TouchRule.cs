namespace PerfLab.Building.Changes;

/// <summary>What a benchmark runs of the methods that differ between two builds.</summary>
/// <param name="Untouched">Nothing that it runs, or could have compiled into it, differs.</param>
/// <param name="Reason">One sentence, in both cases.</param>
/// <param name="Runs">The changed methods that it reaches, in words.</param>
public sealed record Touch(bool Untouched, string Reason, IReadOnlyList<string> Runs)
{
    /// <summary>Their ids: "changed, run by no benchmark" is what no row has.</summary>
    public IReadOnlySet<string> Ids { get; init; } = new HashSet<string>(StringComparer.Ordinal);
}

/// <summary>
/// Decides for one benchmark whether the difference of two builds can touch it (docs/selection.md). Whatever is not proven is measured.
/// </summary>
public sealed class TouchRule
{
    private readonly BuildChange _change;
    private readonly (BuildContent Content, HashSet<string> Shapes) _base, _head;
    private readonly HashSet<string> _changed;
    private readonly HashSet<string> _addedVirtual;
    private readonly Dictionary<string, string> _words;

    public TouchRule(BuildContent reference, BuildContent arm, BuildChange change)
    {
        _change = change;
        _base = (reference, ShapeClosure.Of(reference.Index, change.Types));
        _head = (arm, ShapeClosure.Of(arm.Index, change.Types));
        _changed = change.Methods.Select(part => part.Id).ToHashSet(StringComparer.Ordinal);
        _addedVirtual = change.Methods.Where(part => part.Kind == ChangeKind.Added && arm.Index.Methods[part.Id].Slot is not null)
            .Select(part => part.Id).ToHashSet(StringComparer.Ordinal);
        _words = change.Methods.Concat(change.Types).ToDictionary(part => part.Id, part => part.Words, StringComparer.Ordinal);
    }

    /// <summary>The same program, compiled again: no launch has to say what runs.</summary>
    public bool ChangesNothing => _change.IsNothing;

    /// <summary>What base's list alone proves: head's own list may lie, where head's code writes it.</summary>
    public Touch OfReference(IReadOnlySet<string> listed)
    {
        // In head the same methods: what they would call there.
        var inBase = Judge(_base, listed);
        var inHead = Judge(_head, listed.Where(_head.Content.Index.Methods.ContainsKey).ToHashSet(StringComparer.Ordinal));
        var runs = inBase.Ids.Union(inHead.Ids, StringComparer.Ordinal).ToHashSet(StringComparer.Ordinal);
        return runs.Count > 0 ? Runs(runs) : !inBase.Untouched ? inBase : !inHead.Untouched ? inHead : Added(listed);
    }

    /// <summary>With the list of both arms.</summary>
    public Touch Of(IReadOnlySet<string> reference, IReadOnlySet<string> arm) =>
        OfReference(reference) is { Untouched: false } touched ? touched
        : Judge(_head, arm) is { Untouched: false } inHead ? inHead
        : !AreEqual(reference, arm) ? new(false, "the two arms did not run the same methods, although none of them changed", [])
        : Untouched();

    /// <summary>Whether both lists hold the same methods, those that differ left out: the theory proves itself each time.</summary>
    public bool AreEqual(IReadOnlySet<string> reference, IReadOnlySet<string> arm) =>
        reference.Where(id => !_changed.Contains(id)).ToHashSet(StringComparer.Ordinal).SetEquals(arm.Where(id => !_changed.Contains(id)));

    /// <summary>"none of the 3 changed methods runs in it".</summary>
    private Touch Untouched() => new(true, _changed.Count switch
    {
        0 => "no method changed",
        1 => "the changed method does not run in it",
        2 => "neither of the 2 changed methods runs in it",
        _ => Invariant($"none of the {_changed.Count} changed methods runs in it"),
    }, []);

    private Touch Judge((BuildContent Content, HashSet<string> Shapes) arm, IReadOnlySet<string> listed)
    {
        var reach = Reach.Of(arm.Content.Index, listed);
        var runs = reach.Methods.Where(_changed.Contains).ToHashSet(StringComparer.Ordinal);
        if (runs.Count > 0)
        {
            return Runs(runs);
        }

        if (reach.Types.FirstOrDefault(arm.Shapes.Contains) is { } shape)
        {
            return new(false, $"uses a type that changed: {_words.GetValueOrDefault(shape) ?? TypeReader.Short(shape)}", []);
        }

        var index = arm.Content.Index;
        if (listed.Select(id => index.Methods.GetValueOrDefault(id)?.Type).FirstOrDefault(type =>
            type is not null && _change.Attributed.Contains(type)) is { } attributed)
        {
            return new(false, $"runs methods of a type whose attributes changed: {TypeReader.Short(attributed)}", []);
        }

        return _change.IsReflected && MetadataReaders.Seen(index, listed) is { } reader
            ? new(false, $"looks at metadata ({reader}), and some that changed is only seen there", []) : Untouched();
    }

    private Touch Runs(HashSet<string> ids) => new(
        false, _changed.Count == 1 ? "runs the changed method" : Invariant($"runs {ids.Count} of the {_changed.Count} changed methods"),
        [.. ids.Select(id => _words[id]).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)])
    {
        Ids = ids,
    };

    /// <summary>An override that is new may be called by the runtime itself: then no call says so.</summary>
    private Touch Added(IReadOnlySet<string> listed)
    {
        var index = _head.Content.Index;
        var reach = Reach.Of(index, listed.Where(index.Methods.ContainsKey).ToHashSet(StringComparer.Ordinal));
        return _addedVirtual.FirstOrDefault(id => reach.Types.Contains(index.Methods[id].Type)) is { } added
            ? new(false, $"uses a type with a new virtual method: {_words[added]}", [_words[added]])
            {
                Ids = new HashSet<string>([added], StringComparer.Ordinal),
            }
            : Untouched();
    }
}

/// <summary>Types that are laid out or dispatched otherwise because another type is.</summary>
internal static class ShapeClosure
{
    public static HashSet<string> Of(BuildIndex index, IReadOnlyList<ChangedPart> changed)
    {
        var shapes = changed.Select(part => part.Id).ToHashSet(StringComparer.Ordinal);
        var grows = shapes.Count > 0;
        while (grows)
        {
            var more = index.Types.Values.Where(type =>
                !shapes.Contains(type.Id) && (type.Above.Any(above => shapes.Contains(index.Real(above)))
                || type.Held.Any(held => shapes.Contains(index.Real(held))
                    && index.Types.GetValueOrDefault(index.Real(held)) is not { IsValue: false })))
                .Select(type => type.Id).ToList();
            shapes.UnionWith(more);
            grows = more.Count > 0;
        }

        return shapes;
    }
}
