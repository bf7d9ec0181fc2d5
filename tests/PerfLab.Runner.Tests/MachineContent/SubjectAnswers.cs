namespace PerfLab.Runner.Tests.MachineContent;

/// <summary>
/// What GitHub answers to `GET /repos/OWNER/NAME/actions/oidc/customization/sub`, each as it was recorded, with other names and numbers.
/// </summary>
internal static class SubjectAnswers
{
    /// <summary>A repository of before 2026-07-15 (docs of RichardOrchardOrganisation/QueenZone.Modern, before its transfer).</summary>
    internal const string Names = """{"use_default":true,"use_immutable_subject":false,"sub_claim_prefix":"repo:octo-org/octo-repo"}""";

    /// <summary>A new repository: `use_immutable_subject` is false, and yet its tokens carry numbers (Azure/azure-dev#9382).</summary>
    internal const string NumbersAndFalse = """{"use_default":true,"use_immutable_subject":false,"sub_claim_prefix":"repo:octo-org@1234567/octo-repo@7654321"}""";

    /// <summary>An old repository that was renamed, moved or switched after that day (QueenZone.Modern, after its transfer).</summary>
    internal const string NumbersAndTrue = """{"use_default":true,"use_immutable_subject":true,"sub_claim_prefix":"repo:octo-org@1234567/octo-repo@7654321"}""";

    /// <summary>Microsoft's organizations (Azure/azure-dev#7374).</summary>
    internal const string KeysOfItsOwn = """{"use_default":false,"include_claim_keys":["repository_owner_id","repository_id"]}""";

    /// <summary>GitHub's own template by its keys: the example of docs.github.com/rest/actions/oidc, with what is said since 2026.</summary>
    internal const string DefaultByItsKeys =
        """{"use_default":false,"include_claim_keys":["repo","context"],"use_immutable_subject":false,"sub_claim_prefix":"repo:octo-org/octo-repo"}""";

    /// <summary>Before 2026 (github/rest-api-description, `oidc-custom-sub-repo`: only `use_default` is required).</summary>
    internal const string OldForm = """{"use_default":true}""";

    /// <summary>The organization's template applies, if it has one (pulumi.com, github: ActionsRepositoryOidcSubjectClaimCustomizationTemplate).</summary>
    internal const string Organization = """{"use_default":false}""";

    /// <summary>Nothing was ever set (Azure/azure-dev#7705), or the one who asks may not see it: GitHub answers both alike.</summary>
    internal const string NotFound = """{"message":"Not Found","documentation_url":"https://docs.github.com/rest/actions/oidc","status":"404"}""";
}
