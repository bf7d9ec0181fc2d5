using System.Text;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.JsonRoundTrip;

/// <summary>What is measured: each document becomes text and the text becomes a document.</summary>
internal sealed class RoundTrip(Order[] orders)
{
    // About a tenth of a millisecond of work between two looks at the clock.
    private const int DocumentsPerPiece = 8;

    private int _next;
    private Order? _last;

    public long Piece()
    {
        for (var document = 0; document < DocumentsPerPiece; document++)
        {
            _last = Codec.Parse(Codec.Serialise(orders[_next]));
            _next = _next + 1 == orders.Length ? 0 : _next + 1;
        }

        GC.KeepAlive(_last);
        return DocumentsPerPiece;
    }

    /// <summary>Every document comes back equal; returns the bytes that all of them take as UTF-8.</summary>
    /// <exception cref="WrongAnswerException">One did not.</exception>
    public static long Check(IReadOnlyList<Order> orders)
    {
        long bytes = 0;
        for (var number = 0; number < orders.Count; number++)
        {
            var text = Codec.Serialise(orders[number]);
            bytes += Encoding.UTF8.GetByteCount(text);
            if (!orders[number].Equal(Codec.Parse(text)))
            {
                throw new WrongAnswerException($"document {number} did not come back equal: {text}");
            }
        }

        return bytes;
    }
}
