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
  const passed = Object.fromEntries(['PATH', 'HOME', 'DOTNET_ROOT', 'TMPDIR', 'PERF_LAB_PROGRAM'].map(name => [name, process.env[name]]));
  const env = { ...passed, LANG: 'C.UTF-8', PERF_LAB_ROOT: root };    // Node leaves out what is undefined
  return new Promise((resolve, reject) => {
    execFile(runner, args, { env, timeout: MINUTES * 60_000, killSignal: 'SIGKILL', maxBuffer: MAX_BYTES }, (error, stdout, stderr) => {
      if (error === null) resolve({ code: 0, stdout, stderr });
      else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
      else if (error.killed || error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') reject(new Error(`${args[0]} was stopped after ${MINUTES} minutes or ${MAX_BYTES} bytes of output`));
      else reject(new Error(`starting the runner ${runner}: ${error.message}`));
    });
  });
}
