import { createServer } from '@stoplight/prism-http-server';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { subset } from './description.ts';

export interface Prism { readonly url: string; stop(): Promise<void> }

/** A mock of GitHub that nobody here wrote: Prism, with GitHub's description. It refuses calls that are not described, and answers with GitHub's own examples. */
export async function startPrism(templates: Iterable<string>): Promise<Prism> {
  const quiet: Record<string, unknown> = Object.fromEntries(['trace', 'debug', 'info', 'success', 'warn', 'error', 'fatal'].map(level => [level, () => {}]));
  quiet['child'] = () => quiet;
  const server = createServer(await getHttpOperationsFromSpec(subset(templates)), {
    cors: false,
    components: { logger: quiet as never },
    // `errors` would also judge Prism's own answers, and GitHub's examples do not all fit GitHub's schemas.
    config: { isProxy: false, checkSecurity: false, validateRequest: true, validateResponse: false, errors: false, mock: { dynamic: false } } as never,
  });
  return { url: await server.listen(0, '127.0.0.1'), stop: () => server.close() };
}
