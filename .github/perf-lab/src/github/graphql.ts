import type * as z from 'zod';
import { read } from './answers.ts';
import type { Client } from './client.ts';
import { Refused } from './refused.ts';

/** One call of GraphQL that may be repeated. What Octokit can't take apart (`errors` that is no list) ends as a named error like the rest. */
export async function graphql<T extends z.ZodType>(gh: Client, query: string, variables: Readonly<Record<string, string>>, format: T, about: string): Promise<z.output<T>> {
  try {
    return read(format, await gh.graphql(query, { ...variables, request: { repeatable: true } }), about);
  } catch (error) {
    if (error instanceof TypeError) throw new Refused(`GitHub's answer about ${about} is not of GraphQL's form`);
    throw error;
  }
}
