/**
 * What tells our comments apart: a hidden first line. Only the start of a body counts, so no text inside a comment can be a marker,
 * and only comments of our own user id are looked at, so nobody else's can be one either.
 */
export type Marker = { readonly pullRequest: number } & ({ readonly request: number } | { readonly replyTo: number; readonly comment: number });

export function markerLine(marker: Marker): string {
  return 'request' in marker ? `<!-- perf-lab:v1 pr=${marker.pullRequest} req=${marker.request} -->`
    : `<!-- perf-lab:v1 pr=${marker.pullRequest} reply=${marker.replyTo} to=${marker.comment} -->`;
}

const LINE = /^<!-- perf-lab:v1 pr=([0-9]{1,15}) (?:req=([0-9]{1,15})|reply=([0-9]{1,15}) to=([0-9]{1,15})) -->(?:\r?\n|$)/;

export function readMarker(body: string): Marker | null {
  const found = LINE.exec(body);
  if (found === null) return null;
  const pullRequest = Number(found[1]);
  return found[2] !== undefined ? { pullRequest, request: Number(found[2]) } : { pullRequest, replyTo: Number(found[3]), comment: Number(found[4]) };
}
