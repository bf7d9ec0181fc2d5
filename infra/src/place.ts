import type * as pulumi from '@pulumi/pulumi';

/** What nearly every Azure resource asks for. Typed, because a typo that passes through a spread is lost without a trace. */
export interface Place {
  readonly resourceGroupName: pulumi.Output<string>;
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
}
