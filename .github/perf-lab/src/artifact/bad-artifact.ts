/** An artifact that is not what its job uploads: a finding about this request, which goes into the comment, not a failure of ours. */
export class BadArtifact extends Error {
  override name = 'BadArtifact';
}
