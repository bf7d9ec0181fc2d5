import fs from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import type { Call } from '../fake/server.ts';

type Json = { [name: string]: Json } & Json[] & string;
interface Operation { parameters?: Json[]; requestBody?: Json; responses: Record<string, Json> }
export interface Description { openapi: string; info: object; paths: Record<string, Record<string, Operation>>; components: Record<string, Record<string, Json>> }

/** GitHub's own description of its REST API, from the package that Octokit's types are made of. */
export const github = JSON.parse(fs.readFileSync(createRequire(import.meta.url).resolve('@octokit/openapi/generated/api.github.com.json'), 'utf8')) as Description;

/** Of several templates that fit, the one with the fewest parameters, as GitHub routes. */
export function templateOf({ method, path }: Pick<Call, 'method' | 'path'>): string | undefined {
  return Object.keys(github.paths)
    .filter(template => github.paths[template]![method.toLowerCase()] && new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path))
    .sort((a, b) => a.split('{').length - b.split('{').length)[0];
}

/** The description of these paths alone, with everything they refer to: the whole takes a mock server half a minute. */
export function subset(templates: Iterable<string>): Description {
  const part: Description = { openapi: github.openapi, info: github.info, paths: {}, components: {} };
  for (const template of templates) part.paths[template] = github.paths[template]!;
  const take = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const [, , kind, name] = typeof (value as Json)['$ref'] === 'string' ? String((value as Json)['$ref']).split('/') : [];
    if (kind !== undefined && name !== undefined && part.components[kind]?.[name] === undefined) take((part.components[kind] ??= {})[name] = github.components[kind]![name]!);
    Object.values(value).forEach(take);
  };
  take(part.paths);
  // "An integer or a string" fits a number in a path twice, and oneOf wants it once.
  return JSON.parse(JSON.stringify(part).replaceAll('"oneOf":[{"type":"integer"},{"type":"string"}]', '"anyOf":[{"type":"integer"},{"type":"string"}]')) as Description;
}

const resolved = (value: Json): Json => typeof value['$ref'] === 'string' ? String(value['$ref']).split('/').slice(1).reduce<Json>((at, name) => at[name]!, github as unknown as Json) : value;

/** What is wrong with a call besides what the mock server looks at: it ignores parameters that it does not know, as GitHub does. */
export function unknownParameters(call: Call): string[] {
  const template = templateOf(call);
  const known = template === undefined ? [] : (github.paths[template]![call.method.toLowerCase()]!.parameters ?? []).map(resolved).filter(({ in: place }) => String(place) === 'query').map(({ name }) => String(name));
  return [...call.query.keys()].filter(name => !known.includes(name)).map(name => `${call.method} ${template}: no parameter ${name}`);
}

const ajv = new Ajv({ strict: false, validateFormats: false, logger: false, allErrors: true });
ajv.addSchema(partial(github) as object, 'api');

/** What is wrong with an answer of the fake. It may leave out what nobody reads; what it says, GitHub must be able to say. */
export function answerProblems({ method, path, answer }: Call): string[] {
  const template = templateOf({ method, path });
  if (answer?.json === undefined || template === undefined) return [];
  const at = `${method} ${template} ${answer.status}`;
  const responses = github.paths[template]![method.toLowerCase()]!.responses;
  const response = responses[String(answer.status)];
  if (response === undefined) return answer.status >= 400 ? [] : [`${at}: GitHub does not answer so`];    // errors are described for some calls only
  const pointer = typeof response['$ref'] === 'string' ? String(response['$ref']).slice(2).split('/') : ['paths', template, method.toLowerCase(), 'responses', String(answer.status)];
  if (resolved(response)['content']?.['application/json'] === undefined) return [];
  const validate = ajv.compile({ $ref: `api#/${[...pointer, 'content', 'application/json', 'schema'].map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}` });
  return validate(answer.json) ? [] : [`${at}: ${ajv.errorsText(validate.errors).slice(0, 400)}`];
}

/** The same schemas for a part of an object: nothing is required, and nothing may be there that they do not name. */
function partial(value: unknown, inAll = false): unknown {
  if (Array.isArray(value)) return value.map(item => partial(item, inAll));
  if (typeof value !== 'object' || value === null) return value;
  const { required, oneOf, nullable, ...rest } = value as Record<string, unknown>;
  if (nullable === true && rest['type'] === undefined) return { anyOf: [{ type: 'null' }, partial({ ...rest, ...(oneOf === undefined ? {} : { oneOf }) })] };
  const copy = Object.fromEntries(Object.entries(rest).map(([name, member]) => [name, partial(member, name === 'allOf')]));
  if (nullable !== undefined) copy['nullable'] = nullable;
  if (oneOf !== undefined) copy['anyOf'] = partial(oneOf);
  if (required !== undefined && !Array.isArray(required)) copy['required'] = partial(required);    // a property of that name
  const isObject = typeof copy['properties'] === 'object' && copy['type'] !== undefined;
  return isObject && !inAll && copy['additionalProperties'] === undefined && copy['anyOf'] === undefined && copy['allOf'] === undefined ? { ...copy, additionalProperties: false } : copy;
}
