namespace PerfLab.Core.Planning.Plans;

/// <summary>A text that is equal for equal recipes and differs for different ones.</summary>
public static class RecipeKey
{
    public static string Of(BuildRecipe recipe) => JsonSerializer.Serialize(recipe);
}
