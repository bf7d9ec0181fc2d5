import { remote } from '@pulumi/command';
import * as pulumi from '@pulumi/pulumi';
import { basename } from 'node:path';
import type { MetalSettings } from './config/settings';

export interface MetalArgs {
  readonly metal: MetalSettings;
  readonly privateKey: pulumi.Output<string>;
  /** GitHub's token of one hour, to register. One that removes does not come this way: a changed token is an installation (docs/internals/infrastructure.md). */
  readonly runnerToken?: pulumi.Output<string>;
  /** `https://github.com/OWNER/NAME` */
  readonly repository: string;
  /** Folder with `metal-agent.sh`, relative to the program. */
  readonly folder: string;
  /** Hash over that folder: the same bytes mean nothing to do. */
  readonly folderHash: string;
}

/** The bare-metal agent. Its host key is pinned: the provider would otherwise talk to whoever answers. */
export class MetalAgent extends pulumi.ComponentResource {
  constructor(name: string, { metal, privateKey, runnerToken, repository, folder, folderHash }: MetalArgs, options?: pulumi.ComponentResourceOptions) {
    super('perf-lab:index:MetalAgent', name, {}, options);
    const { host, port, user, hostKey } = metal;
    // A host of one's own boots for minutes, and does so after every job: 40 tries, at most 5 s apart, each at most 15 s long.
    const connection = { host, port, user, hostKey, privateKey, dialErrorLimit: 40, perDialTimeout: 15 };
    // Below the user's home, where no other local user can put a file first; a fresh folder each time. The provider puts the folder itself into it, and gives
    // no file the right to be executed (pulumi-command 1.2.1, copyController.go).
    const remotePath = `perf-lab-agent-${folderHash.slice(0, 12)}`, script = `sudo -n bash ${remotePath}/${basename(folder)}/metal-agent.sh`;
    const copy = new remote.CopyToRemote(name, { connection, source: new pulumi.asset.FileArchive(folder), remotePath, triggers: [folderHash, host] }, { parent: this });
    new remote.Command(name, {
      connection, create: `${script} install ${metal.name}`, update: `${script} install ${metal.name}`, delete: `${script} remove ${metal.name}`,
      addPreviousOutputInEnv: false, logging: remote.Logging.None,    // what it prints would land in the state
      // Never an argument or a variable: ps and logs show those.
      ...(runnerToken ? { stdin: pulumi.interpolate`${runnerToken.apply(token => token.trim())}\n${repository}\n` } : {}),
      // New scripts are an update (the path has their hash in it): they go over the old ones. Another name or host is a removal there, then a new
      // installation; the other way round the removal would take away what was just installed.
      triggers: [metal.name, host],
    }, { parent: this, dependsOn: [copy], additionalSecretOutputs: ['stdout', 'stderr'], replaceOnChanges: ['triggers'], deleteBeforeReplace: true });
    this.registerOutputs({});
  }
}
