using System.Text.Json;
using PerfLab.Calibration.Published;

namespace PerfLab.Core.Tests.Trends;

/// <summary>How benchmarks/PerfLab.Calibration --series reads and scores series that people labelled.</summary>
public sealed class PublishedSeriesTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("published").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void a_score_is_what_the_paper_s_definition_gives_by_hand()
    {
        // Of the places 0, 25, 46, 70 the first two are labels of somebody (25 is 5 points from 20; 46 is 6 from 40): 2 of 4. Of the first
        // person's 0, 20, 40 two are found, of the others' all: (2/3 + 2/2 + 1/1) / 3 = 8/9. F1 = 2 · 1/2 · 8/9 / (1/2 + 8/9) = 16/25.
        var score = LabelScore.Of([[20, 40], [20], []], [25, 46, 70]);

        score.Precision.ShouldBe(1 / 2.0, 1e-12);
        score.Recall.ShouldBe(8 / 9.0, 1e-12);
        score.F1.ShouldBe(16 / 25.0, 1e-12);
    }

    [Fact]
    public void one_place_is_one_change_however_many_labels_are_near()
    {
        var score = LabelScore.Of([[10, 13]], [11]);

        score.ShouldBe(LabelScore.Of([[10, 13]], [11, 11]));
        score.Precision.ShouldBe(1);
        score.Recall.ShouldBe(2 / 3.0, 1e-12);
    }

    [Fact]
    public void where_nobody_saw_a_change_finding_none_is_right_and_each_place_counts_against_a_way()
    {
        LabelScore.Of([[], []], []).F1.ShouldBe(1);
        LabelScore.Of([[], []], [50, 80, 90]).ShouldBe(new(1 / 4.0, 1, 2 / 5.0));
    }

    [Fact]
    public void a_folder_is_scored_beside_what_was_published_and_says_what_it_left_out()
    {
        // Who labels 40 alone finds, by the others, all of {0, 40} and 2 of {0, 40, 56}: F1 10/11, twice; who labels 56 too has 2 of 3
        // right: F1 4/5.
        Write("annotations.json", """
            {"step":{"1":[40],"2":[40],"3":[40,56]},"many":{"1":[]},"gaps":{"1":[]},"short":{"1":[3]},"nobody":{},"gone":{"1":[]}}
            """);
        Write("step.json", Series(Enumerable.Range(0, 80).Select(point => (point < 40 ? 0 : 9) + (point % 3 * 0.1))));
        Write("many.json", """{"series":[{"raw":[1]},{"raw":[2]}]}""");
        Write("gaps.json", """{"series":[{"raw":[1,null]}]}""");
        Write("short.json", """{"series":[{"raw":[1,2,3]}]}""");
        Write("nobody.json", """{"series":[{"raw":[1]}]}""");
        Write("default_f1_scores.json", """{"step":{"binseg":0.5,"pelt":null},"many":null,"elsewhere":{"binseg":0.1}}""");

        var (lines, problem) = LabelledTable.Of(_folder, seed: 1);

        problem.ShouldBeNull();
        lines[0].ShouldBe("1 series, 80 points; left out: "
            + "gaps (missing values), gone (no gone.json), many (2 variables), nobody (nobody labelled it), short (a label at 3, 3 points)");
        lines.ShouldContain("| step | 80 | 3 | 1.3 | 0.941 | 0.941 | 0.941 | 0.615 | 0.873 |");
        lines.ShouldContain("| nothing found | 1 | 1.000 | 0.444 | 0.615 | 0.0 | 0 | 0 in 0 |");
        lines.ShouldContain("| ours, 1 % | 1 | 1.000 | 0.889 | 0.941 | 1.0 | 1 | 0 in 0 |");
        lines.ShouldContain(line => line.EndsWith("found of the 1 changes that all people see | false places in the 0 series where nobody sees a change |"));
        lines[^1].ShouldBe("| published: binseg, default settings | 1 | | | 0.500 | | | |");
    }

    [Theory]
    [InlineData("annotations.json", null)]
    [InlineData("annotations.json", "{\"step\":7}")]
    [InlineData("step.json", "{\"series\":")]
    [InlineData("step.json", "[]")]
    [InlineData("step.json", "{\"series\":null}")]
    [InlineData("oracle_f1_scores.json", "no JSON")]
    public void a_folder_of_another_form_is_told_by_its_file(string file, string? text)
    {
        Write("annotations.json", """{"step":{"1":[2]}}""");
        Write("step.json", Series([1, 2, 3, 4]));
        File.Delete(Path.Combine(_folder, file));
        if (text is not null)
        {
            Write(file, text);
        }

        var (lines, problem) = LabelledTable.Of(_folder, seed: 1);

        lines.ShouldBeEmpty();
        problem.ShouldNotBeNull().ShouldStartWith(Path.Combine(_folder, file));
    }

    [Theory]
    [InlineData("", "line 1 does not name the known changes.")]
    [InlineData("1\n2", "line 1 does not name the known changes.")]
    [InlineData("# changes 15 x\n1", "line 1: \"x\" is not a place.")]
    [InlineData("# changes 15\n1\ntwo", "line 3: \"two\" is not a value above 0.")]
    [InlineData("# changes 15\n0", "line 2: \"0\" is not a value above 0.")]
    [InlineData("# changes 15\n", "there is no value.")]
    public void a_file_of_another_form_is_told_by_its_line(string text, string wrong)
    {
        Write("one.txt", text);

        var (lines, problem) = SeriesFile.Rows(Path.Combine(_folder, "one.txt"), seed: 1);

        lines.ShouldBeEmpty();
        problem.ShouldNotBeNull().ShouldContain(wrong);
    }

    [Fact]
    public void a_path_to_nothing_is_told()
    {
        SeriesFile.Rows(Path.Combine(_folder, "none"), seed: 1).Problem.ShouldNotBeNull().ShouldEndWith("there is no such file or folder.");
    }

    private static string Series(IEnumerable<double> values) =>
        $$"""{"name":"x","n_dim":1,"series":[{"label":"V","type":"float","raw":{{JsonSerializer.Serialize(values)}}}]}""";

    private void Write(string file, string text) => File.WriteAllText(Path.Combine(_folder, file), text);
}
