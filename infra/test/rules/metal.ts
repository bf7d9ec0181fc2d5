import { SECRETS } from '../support/sample';
import { each, first, type Rule } from './rule';

const REMOTE = /^command:remote:/, COMMAND = /^command:remote:Command$/;
const LEAKS = Object.values(SECRETS).map(secret => JSON.stringify(secret).slice(1, -1));
const leaks = (value: unknown): boolean => LEAKS.some(secret => (JSON.stringify(value) ?? '').includes(secret));

/** Only stacks with a metal agent have anything that these could find. */
export const METAL_RULES: readonly Rule[] = [
  each('every_connection_pins_the_host_s_key', REMOTE, it => /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp\d+) [A-Za-z0-9+/]{60,}={0,2}$/.test(it['connection']?.hostKey ?? ''),
    it => { delete it['connection'].hostKey; }, it => { it['connection'].hostKey = ''; }, it => { it['connection'].hostkey = it['connection'].hostKey; delete it['connection'].hostKey; }),
  each('what_a_remote_command_prints_stays_out_of_log_and_state', COMMAND, it => it['logging'] === 'none' && it['addPreviousOutputInEnv'] === false && it['environment'] === undefined,
    it => { delete it['logging']; }, it => { delete it['addPreviousOutputInEnv']; }, it => { it['environment'] = { TOKEN: 'x' }; }),
  {
    name: 'secrets_are_secrets_all_the_way',
    check: all => all.flatMap(r => Object.keys(r.inputs).filter(key => leaks(r.inputs[key]) && !r.secrets.includes(key)).map(key => `${r.type} ${r.name}: ${key}`)),
    mistakes: [
      all => { all[all.indexOf(first(all, COMMAND))] = { ...first(all, COMMAND), secrets: ['connection'] }; },
      all => { first(all, COMMAND).inputs['environment'] = { KEY: SECRETS['metalPrivateKey'] }; },
    ],
  },
  each('no_secret_stands_on_a_command_line', COMMAND, it => !['create', 'update', 'delete'].some(key => leaks(it[key])), it => { it['create'] += ` ${SECRETS['metalRunnerToken']}`; }),
];
