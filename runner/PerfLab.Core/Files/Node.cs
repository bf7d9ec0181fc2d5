namespace PerfLab.Core.Files;

/// <summary>A piece of a file that is no JSON but could be (YAML), with the line where it begins. Who reads YAML builds the tree.</summary>
public abstract record Node(int Line);

/// <summary>A scalar.</summary>
/// <param name="Line">From 1.</param>
/// <param name="Text">Without its quotes.</param>
/// <param name="IsPlain">Without quotes, so that it may be meant as a number, true, false or null.</param>
public sealed record TextNode(int Line, string Text, bool IsPlain) : Node(Line);

/// <summary>A sequence.</summary>
public sealed record ListNode(int Line, IReadOnlyList<Node> Items) : Node(Line);

/// <summary>A mapping; keys may be there twice.</summary>
public sealed record MapNode(int Line, IReadOnlyList<(TextNode Key, Node Value)> Members) : Node(Line);
