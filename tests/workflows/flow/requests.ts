import { afterAll } from 'vitest';
import { Request, type Asked } from './request.ts';

/** Starts the requests of a test file; when its tests are done, what all of them hold is given back. */
export function requests(): (asked: Asked) => Promise<Request> {
  const runs: Request[] = [];
  afterAll(async () => { await Promise.all(runs.map(request => request.end())); }, 60_000);
  return async asked => {
    const request = await Request.run(asked);
    runs.push(request);
    return request;
  };
}
