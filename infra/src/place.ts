import type * as pulumi from '@pulumi/pulumi';
import type { Settings } from './config/settings';

/** What nearly every Azure resource asks for. Typed, because a typo that passes through a spread is lost without a trace. */
export interface Place {
  readonly resourceGroupName: pulumi.Output<string>;
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** The id that a thing of the lab's group will have. */
export const pathOf = ({ subscriptionId, stack }: Settings, type: string, name: string): string => `/subscriptions/${subscriptionId}/resourceGroups/perf-lab-${stack}/providers/${type}/${name}`;
