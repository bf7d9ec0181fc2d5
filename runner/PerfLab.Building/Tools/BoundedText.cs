namespace PerfLab.Building.Tools;

/// <summary>Keeps the beginning and the end of a text of any length. Two streams may write at once.</summary>
internal sealed class BoundedText(int limit)
{
    private readonly Lock _lock = new();
    private readonly StringBuilder _head = new();
    private readonly StringBuilder _tail = new();
    private long _dropped;

    private int Half => limit / 2;

    public void Append(ReadOnlySpan<char> text)
    {
        lock (_lock)
        {
            var toHead = Math.Min(text.Length, Half - _head.Length);
            _head.Append(text[..toHead]);
            _tail.Append(text[toHead..]);
            if (_tail.Length > 2 * Half)
            {
                _dropped += _tail.Length - Half;
                _tail.Remove(0, _tail.Length - Half);
            }
        }
    }

    public override string ToString()
    {
        lock (_lock)
        {
            return _dropped == 0 ? $"{_head}{_tail}" : string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{_head}\n… {_dropped} characters left out …\n{_tail}");
        }
    }
}
