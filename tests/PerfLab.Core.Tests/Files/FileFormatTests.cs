using System.Text;
using PerfLab.Core.Files;

namespace PerfLab.Core.Tests.Files;

public sealed class FileFormatTests
{
    private const string Names = "schema, name, area, soil, owner, seed, plants, harvest, planted, watering, notes, extra.";
    private const string NoCharacter = ", which is no character";

    [Fact]
    public void what_is_read_is_written_back_byte_for_byte()
    {
        var reading = Garden.File.Read(Garden.Text);

        reading.Problems.ShouldBeEmpty();
        Garden.File.Write(reading.Value!).ShouldBe(Garden.Text);
        using var stream = new MemoryStream();
        Garden.File.Write(reading.Value!, stream);
        Encoding.UTF8.GetString(stream.ToArray()).ShouldBe(Garden.Text);
    }

    [Theory]
    [InlineData("perf-lab/garden/1", "perf-lab/garden/2", "schema: must be \"perf-lab/garden/1\"")]
    [InlineData("\"name\": \"north\"", "\"name\": \"North\"", "name: must be a name of a-z")]
    [InlineData("\"name\": \"north\"", "\"name\": \"north\\n\"", "name: must be a name of a-z")]
    [InlineData("\"name\": \"north\"", "\"name\": \"\\ud800\"", "name: holds half a surrogate pair, which is no character")]
    [InlineData("\"name\": \"north\",", "", "name: is missing")]
    [InlineData("\"name\": \"north\",", "\"name\": \"north\", \"name\": 5,", "name: is there twice")]
    [InlineData("\"name\": \"north\",", "\"name\": \"north\", \"\\ud800\": 5,", "the file: holds a name with half a surrogate pair" + NoCharacter)]
    [InlineData("\"name\": \"north\",", "\"name\": \"north\", \"x\\u001b[31m<b>\": 5,", "x?[31m?b?: is not known here. Valid: " + Names)]
    [InlineData("\"area\"", "\"aera\"", "aera: is not known here. Did you mean area?; area: is missing")]
    [InlineData("12", "0", "area: must be a whole number from 1 to 1000, is 0")]
    [InlineData("12", "1.5", "area: must be a whole number from 1 to 1000, is 1.5")]
    [InlineData("12", "1e400", "area: must be a whole number from 1 to 1000, is 1e400")]
    [InlineData("12", "\"12\"", "area: must be a whole number, is text")]
    [InlineData("12", "1", "plants: do not fit in")]
    [InlineData("\"sandy-loam\"", "\"SandyLoam\"", "soil: must be one of clay, sandy-loam. Did you mean sandy-loam?")]
    [InlineData("\"sandy-loam\"", "1", "soil: must be one of clay, sandy-loam, is a number")]
    [InlineData("\"owner\": null", "\"owner\": []", "owner: must be text or null, is a list")]
    [InlineData("18446744073709551615", "18446744073709551616", "seed: must be a whole number of at least 0, is 18446744073709551616")]
    [InlineData("\"kind\": \"tree\",", "", "plants[0].kind: is missing")]
    [InlineData("\"tree\"", "\"bush\"", "plants[0].kind: must be one of tree, herb")]
    [InlineData("\"tree\"", "\"\\ud800\"", "plants[0].kind: holds half a surrogate pair, which is no character")]
    [InlineData("\"tree\"", "null", "plants[0].kind: must be one of tree, herb, is null")]
    [InlineData("2.5", "0", "plants[0].height: must be a finite number above 0, is 0")]
    [InlineData("2.5", "1e999", "plants[0].height: must be a finite number above 0, is 1e999")]
    [InlineData("\"perennial\": true", "\"perennial\": null", "plants[1].perennial: must be true or false, is null")]
    [InlineData("\"apple\": 4.5", "\"Apple\": 4.5", "harvest.Apple: its name must be text of the form ^[a-z]+$")]
    [InlineData("\"apple\": 4.5", "\"apple\": -4.5", "harvest.apple: must be a finite number of at least 0, is -4.5")]
    [InlineData("2026-03-01T", "2026-13-01T", "planted: must be a time (ISO 8601)")]
    [InlineData("5m", "5 m", "watering: must be minutes, as in 5m")]
    [InlineData("\"5m\"", "5", "watering: must be minutes, as in 5m or null, is a number")]
    [InlineData("5m", "0m", "watering: must be more than 0m")]
    [InlineData("\"a\": [", "\"a\": 1, \"a\": [", "notes.a: is there twice")]
    [InlineData("1,\n", "1e400,\n", "notes.a[0]: must be a finite number, is 1e400")]
    [InlineData("null\n", "\"\\udc00\"\n", "notes.a[1]: holds half a surrogate pair, which is no character")]
    public void a_mistake_is_named_by_its_member(string right, string wrong, string expected)
    {
        Garden.Text.ShouldContain(right);
        var place = Garden.Text.IndexOf(right, StringComparison.Ordinal);

        var reading = Garden.File.Read(Garden.Text[..place] + wrong + Garden.Text[(place + right.Length)..]);

        reading.Value.ShouldBeNull();
        // A plant that is no kind of plant lacks more than its kind.
        string.Join("; ", reading.Problems.Take(2).Select(problem => problem.ToString())).ShouldBe(expected);
    }

    [Fact]
    public void a_list_has_its_limits() =>
        Garden.File.Read(Garden.Text.Replace("{\n      \"kind\": \"herb\"", "null, null, {\n      \"kind\": \"herb\"")).Problems
            .Select(problem => problem.ToString()).ShouldBe(
                ["plants: must have at most 3 items, has 4", "plants[1]: must be an object, is null", "plants[2]: must be an object, is null"]);

    [Fact]
    public void five_mistakes_are_named_at_once() =>
        Garden.File.Read(Garden.Text.Replace("north", "?").Replace("12", "0").Replace("sandy-", "").Replace("2.5", "-1").Replace("4.5", "[]"))
            .Problems.Select(problem => problem.Where).ShouldBe(["name", "area", "soil", "plants[0].height", "harvest.apple"]);

    [Fact]
    public void after_the_fiftieth_mistake_they_are_counted_only()
    {
        var wrong = string.Join(", ", Enumerable.Range(1, 70).Select(number => $"\"{new string('x', number)}\": -1"));

        var problems = Garden.File.Read(Garden.Text.Replace("\"apple\": 4.5", wrong)).Problems;

        problems.Count.ShouldBe(51);
        problems[^1].ToString().ShouldBe("the file: and 20 more problems");
    }

    [Theory]
    [InlineData("", "line 1, byte 1: is not strict JSON")]
    [InlineData("{\n  \"schema\": nope }", "line 2, byte 1")]
    [InlineData("{} {}", "is not strict JSON")]
    [InlineData("{ // so\n}", "is not strict JSON")]
    [InlineData("[]", "the file: must be an object, is a list")]
    [InlineData("null", "the file: must be an object, is null")]
    [InlineData("\uFEFF{}", "byte order mark")]
    public void what_is_no_such_file_is_refused(string text, string expected) =>
        Garden.File.Read(text).Problems.Single().ToString().ShouldContain(expected);

    [Fact]
    public void what_is_too_large_too_deep_cut_or_no_text_is_refused()
    {
        Garden.File.Read(Garden.Text + new string(' ', 100_000)).Problems.Single().What.ShouldContain("over the limit of 100000");
        Garden.File.Read(new string('[', 40) + new string(']', 40)).Problems.Single().What.ShouldContain("depth");
        Garden.File.Read(Garden.Text[..200]).Problems.Single().Where.ShouldStartWith("line ");
        Garden.File.Read(Encoding.Latin1.GetBytes(Garden.Text.Replace("north", "\u00FF"))).Problems.Single().What.ShouldBe("is not UTF-8");
    }

    [Fact]
    public void a_file_that_people_write_may_leave_out_what_has_a_default()
    {
        var format = new FileFormat<Garden>("perf-lab/garden/1", "") { IsWrittenByPeople = true };

        format.Read(Garden.Text.Replace("\"owner\": null,", "").Replace(",\n  \"extra\": \"\\u00E9\"", "")).Problems.ShouldBeEmpty();
        format.Read(Garden.Text).Problems.Single().ToString().ShouldBe("owner: must be text, is null");
    }

    [Fact]
    public void the_answer_of_a_foreign_program_may_say_more_than_we_know()
    {
        var format = new FileFormat<Garden>("", "") { IsForeign = true };

        var more = Garden.Text.Replace("\"area\":", "\"more\": { \"a\": 1 }, \"area\":").Replace("\"height\":", "\"width\": 1, \"height\":");

        format.Read(more).Value!.Name.ShouldBe("north");
        format.Read(Garden.Text.Replace("12", "0")).Problems.Single().Where.ShouldBe("area");
    }
}
