import { execFile } from 'node:child_process';

export interface RunnerAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const MINUTES = 5;
const MAX_BYTES = 32 << 20;

/** Calls the runner with a bare environment: it reads a stranger's journal, and our token is none of its business. `root`: the lab that it shall work in. */
export function runRunner(runner: string, args: readonly string[], root?: string): Promise<RunnerAnswer> {
  const env = Object.fromEntries(['PATH', 'HOME', 'DOTNET_ROOT', 'TMPDIR', 'PERF_LAB_PROGRAM'].flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
  return new Promise((resolve, reject) => {
    execFile(runner, args, { env: { ...env, LANG: 'C.UTF-8', ...(root === undefined ? {} : { PERF_LAB_ROOT: root }) }, timeout: MINUTES * 60_000, killSignal: 'SIGKILL', maxBuffer: MAX_BYTES }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number') resolve({ code, stdout, stderr });
      else if (error?.killed || code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') reject(new Error(`${args[0]} was stopped after ${MINUTES} minutes or ${MAX_BYTES} bytes of output`));
      else reject(new Error(`starting the runner ${runner}: ${error?.message}`));
    });
  });
}
