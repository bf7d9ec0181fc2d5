namespace PerfLab.Launching.Docker.Engine;

/// <summary>
/// Removes images of builds that no session has used for two weeks, at the start of a session. Only images with our label that a session of
/// ours has marked; never those of the session that begins. What goes wrong is a line for people and keeps nobody from measuring.
/// </summary>
internal sealed class UnusedImages(EngineClient engine, TimeProvider clock, Action<string> say)
{
    /// <param name="used">Ids of the images that this session launches.</param>
    public async Task RemoveAsync(IReadOnlyCollection<string> used, CancellationToken cancellationToken)
    {
        try
        {
            var images = await engine.ListImagesAsync(Labels.Build, cancellationToken);
            foreach (var image in images.Where(image => used.Contains(image.Id, StringComparer.Ordinal)))
            {
                await MarkAsync(image, cancellationToken);
            }

            await RemoveAsync([.. images.Where(image => !used.Contains(image.Id, StringComparer.Ordinal) && LastUse.IsOver(image, clock.GetUtcNow()))], cancellationToken);
        }
        catch (EngineException failure)
        {
            // An engine that is really gone says so again at the first launch.
            say($"the clean-up of old images stopped: {failure.Message}");
        }
    }

    /// <summary>The new mark first: taking the last tag from an image would remove it.</summary>
    private async Task MarkAsync(ImageSummary image, CancellationToken cancellationToken)
    {
        var tag = LastUse.Tag(image.Id, clock.GetUtcNow());
        await engine.TagImageAsync(image.Id, LastUse.Repository, tag, cancellationToken);
        foreach (var old in LastUse.TagsOf(image).Where(old => old != $"{LastUse.Repository}:{tag}"))
        {
            await engine.RemoveImageAsync(old, cancellationToken);
        }
    }

    private async Task RemoveAsync(IReadOnlyList<ImageSummary> images, CancellationToken cancellationToken)
    {
        var (count, bytes) = (0, 0L);
        foreach (var image in images)
        {
            try
            {
                if (await engine.RemoveImageAsync(image.Id, cancellationToken))
                {
                    (count, bytes) = (count + 1, bytes + image.Bytes);
                }
            }
            catch (EngineException failure) when (failure.EngineAnswered)
            {
                say(Invariant($"{image.Name} was last used on {LastUse.Of(image):yyyy-MM-dd} and can't be removed: {failure.Detail}"));
            }
        }

        if (count > 0)
        {
            say(Invariant(
                $"removed {count} image{(count == 1 ? "" : "s")} that no session has used for {LastUse.Kept.TotalDays:0} days ({bytes / (1024.0 * 1024):0.0} MiB)"));
        }
    }
}
