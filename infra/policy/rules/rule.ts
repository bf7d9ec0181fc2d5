import type { PolicyResourceOptions, ResourceValidationPolicy, Severity, StackValidationPolicy } from '@pulumi/policy';

/** A resource as Pulumi shows it to a policy; before an update with its inputs, after one with its outputs. */
export interface Resource {
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  /** Whatever its provider declares. Reading an unknown value throws, which Pulumi reports as "can't run during preview". */
  readonly props: Readonly<Record<string, any>>;
  readonly opts: PolicyResourceOptions;
}

interface About { readonly name: string; readonly why: string; readonly severity?: Severity }

/** `azure-native:compute/v20240701:VirtualMachine` → `compute:VirtualMachine`: a rule holds for every version of a type. */
export const kind = (type: string): string => type.replace(/^azure-native:/, '').replace(/\/[^:]*:/, ':');

type Broken = (resource: Resource, settings: Settings) => Iterable<string>;

/** A rule for each resource of some kinds; what it yields is what is wrong, as a sentence without a full stop. */
export function each({ name, why, severity = 'high' }: About, kinds: readonly string[], broken: Broken): ResourceValidationPolicy {
  return {
    name, description: why, severity, enforcementLevel: 'mandatory',
    validateResource: (resource, report) => {
      if (kinds.includes(kind(resource.type))) for (const problem of broken(resource, new Settings(resource.getConfig()))) report(`${resource.name}: ${problem}`);
    },
  };
}

/** A rule for what resources are to each other; a problem is told at the resource that it is about, or at the stack. */
export function together({ name, why, severity = 'high' }: About, broken: (lab: Lab) => Iterable<string | readonly [at: Resource, problem: string]>): StackValidationPolicy {
  return {
    name, description: why, severity, enforcementLevel: 'mandatory',
    validateStack: ({ resources }, report) => {
      for (const problem of broken(new Lab(resources))) {
        if (typeof problem === 'string') report(problem); else report(`${problem[0].name}: ${problem[1]}`, problem[0].urn);
      }
    },
  };
}

/** Every resource of a stack. Azure changes the case of letters in ids and leaves the inputs' names out of its answers: compare with these only. */
export class Lab {
  constructor(readonly all: readonly Resource[]) {}

  of(wanted: string): readonly Resource[] { return this.all.filter(resource => kind(resource.type) === wanted); }
}

/** What an organisation may set in its policy configuration; a list that is left out is the lab's own. */
export class Settings {
  constructor(private readonly values: object) {}

  texts(key: string, otherwise: readonly string[]): readonly string[] {
    const value = (this.values as Record<string, unknown>)[key];
    return Array.isArray(value) ? value.map(String) : otherwise;
  }
}

/** The name that a resource has in Azure: `name` in what Azure answers, an input of another name before. */
export const azureName = ({ props }: Resource, input: string): string => String(props['name'] ?? props[input] ?? '').toLowerCase();

/** `…/virtualMachines/azure-d4s` → `azure-d4s`, of the last part of this kind; empty when there is none. */
export const inId = (id: unknown, part: string): string => new RegExp(`/${part}/([^/]+)`, 'i').exec(String(id ?? ''))?.[1]?.toLowerCase() ?? '';
