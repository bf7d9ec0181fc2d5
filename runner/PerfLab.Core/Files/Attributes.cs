using System.ComponentModel.DataAnnotations;

namespace PerfLab.Core.Files;

// What a record says of its members beside their types. From System.ComponentModel.DataAnnotations: [Range], [RegularExpression] (its
// ErrorMessage says in words what is wanted: "a full commit id"), [AllowedValues], [Length], [MinLength], [MaxLength].
// On a list or a map, lengths count its items, and everything else is said of each item.

/// <summary>The number may be this or more.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Parameter)]
public sealed class AtLeastAttribute : RangeAttribute
{
    public AtLeastAttribute(double least)
        : base(least, double.PositiveInfinity) => Least = least;

    public double Least { get; }
}

/// <summary>The number must be more than this.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Parameter)]
public sealed class MoreThanAttribute : RangeAttribute
{
    public MoreThanAttribute(double least)
        : base(least, double.PositiveInfinity) => (Least, MinimumIsExclusive) = (least, true);

    public double Least { get; }
}

/// <summary>The form of a map's keys.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Parameter)]
public sealed class KeysAttribute(string pattern) : Attribute
{
    public string Pattern => pattern;

    /// <summary>What is wanted, in words: "a name of a-z, 0-9 and -".</summary>
    public string? InWords { get; init; }
}

/// <summary>On a record: a member that is not taken any more, or not yet.</summary>
/// <param name="name">In the file.</param>
/// <param name="why">After the name: "is not read here any more: …; take it out".</param>
[AttributeUsage(AttributeTargets.Class, AllowMultiple = true)]
public sealed class GoneAttribute(string name, string why) : Attribute
{
    public string Name => name;

    public string Why => why;
}

/// <summary>Said by a converter of its own words: what a file may hold where its type is.</summary>
public interface IShaped
{
    Shape Shape { get; }
}
