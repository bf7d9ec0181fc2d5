/**
 * Something GitHub, or whoever answered in its place, sent that we don't go along with.
 * Named AbortError because Octokit passes exactly that through; any other error thrown inside `fetch` becomes "status 500".
 */
export class Refused extends Error {
  override name = 'AbortError';
}
