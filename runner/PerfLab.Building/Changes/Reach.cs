namespace PerfLab.Building.Changes;

/// <summary>
/// From the methods that ran to those that the code of these can hold: the JIT reads only methods that it could inline, which are direct
/// calls, or the target of a call that it can tell. A method that only throws is never inlined.
/// </summary>
internal sealed class Reach
{
    private readonly BuildIndex _index;
    private readonly IReadOnlySet<string> _listed;
    private readonly HashSet<string> _slots = new(StringComparer.Ordinal);
    private readonly Queue<MethodModel> _next = new();

    private Reach(BuildIndex index, IReadOnlySet<string> listed) => (_index, _listed) = (index, listed);

    /// <summary>Ids of methods.</summary>
    public HashSet<string> Methods { get; } = new(StringComparer.Ordinal);

    /// <summary>Ids of types that these name, and of what those derive from.</summary>
    public HashSet<string> Types { get; } = new(StringComparer.Ordinal);

    public static Reach Of(BuildIndex index, IReadOnlySet<string> listed)
    {
        var reach = new Reach(index, listed);
        // A module's initialiser runs before anything of it, also where a list does not say so.
        foreach (var method in index.Methods.Values.Where(method => listed.Contains(method.Id)
            || method.Id.EndsWith("]<Module>::.cctor():Void", StringComparison.Ordinal)))
        {
            reach.Add(method);
        }

        while (reach._next.TryDequeue(out var method))
        {
            reach.Follow(method);
        }

        return reach;
    }

    private void Add(MethodModel? method)
    {
        if (method is not null && (!method.OnlyThrows || _listed.Contains(method.Id)) && Methods.Add(method.Id))
        {
            _next.Enqueue(method);
        }
    }

    private void Follow(MethodModel method)
    {
        foreach (var call in method.Calls)
        {
            Add(_index.Called(call));
        }

        foreach (var target in method.Accesses is { } name ? _index.OfName[name] : [])
        {
            Add(target);
        }

        foreach (var type in method.Types.Append(method.Type))
        {
            Name(_index.Real(type));
        }

        foreach (var slot in method.Dispatched.Where(_slots.Add))
        {
            foreach (var target in _index.Virtual[slot].Where(target => Types.Contains(target.Type)))
            {
                Add(target);
            }
        }

        foreach (var type in method.Touched.Append(method.Type))
        {
            foreach (var hidden in _index.OfType[_index.Real(type)].Where(one =>
                one.Slot == "Finalize/0" || one.Id.EndsWith("::.cctor():Void", StringComparison.Ordinal)))
            {
                Add(hidden);
            }
        }
    }

    private void Name(string type)
    {
        if (!_index.Types.TryGetValue(type, out var model) || !Types.Add(type))
        {
            return;
        }

        // Code of .NET over a value type is compiled for that type: a comparer's call of its Equals is a direct one.
        foreach (var target in _index.OfType[type].Where(target => target.Slot is { } slot && (model.IsValue || _slots.Contains(slot))))
        {
            Add(target);
        }

        foreach (var above in model.Above)
        {
            Name(_index.Real(above));
        }
    }
}
