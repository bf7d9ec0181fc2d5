import { specialOutputValueSig, specialResourceSig, specialSecretSig, specialSigKey, unknownValue } from '@pulumi/pulumi/runtime/rpc';

/** What a property may be on the wire; secrets, outputs and references are objects with a signature. */
export type Value = unknown;
export type Values = Readonly<Record<string, Value>>;

export const isObject = (value: Value): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);
export const isSecret = (value: Value): value is { readonly value: Value } => isObject(value) && value[specialSigKey] === specialSecretSig;
export const isUnknown = (value: Value): boolean => value === unknownValue || (isOutput(value) && !('value' in value));
const isOutput = (value: Value): value is { readonly value?: Value } => isObject(value) && value[specialSigKey] === specialOutputValueSig;
const isReference = (value: Value): value is { readonly urn: string } => isObject(value) && value[specialSigKey] === specialResourceSig;

/** The values without their envelopes, as a provider would get them. */
export function plain(value: Value): Value {
  if (Array.isArray(value)) return value.map(plain);
  if (isSecret(value)) return plain(value.value);
  if (isOutput(value)) return 'value' in value ? plain(value.value) : unknownValue;
  if (isReference(value)) return value.urn;
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)])) : value;
}

export const plainObject = (values: Values): Record<string, Value> => plain(values) as Record<string, Value>;

export interface Leaf { readonly path: string; readonly value: Value; readonly secret: boolean }

/** Every value that holds no others, with its path and whether an envelope above it says that it is secret. */
export function leaves(value: Value, path = '', secret = false): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((inner, i) => leaves(inner, `${path}[${i}]`, secret));
  if (isSecret(value)) return leaves(value.value, path, true);
  if (isUnknown(value)) return [{ path, value: unknownValue, secret }];
  if (isOutput(value)) return leaves(value.value, path, secret || (value as { secret?: boolean }).secret === true);
  if (isObject(value)) return Object.entries(value).flatMap(([key, inner]) => leaves(inner, path === '' ? key : `${path}.${key}`, secret));
  return [{ path, value, secret }];
}
