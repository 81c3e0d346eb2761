import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';

/**
 * Runs a program in a process of its own that is given nothing but `work`, in one message. So hostile content can
 * neither reach the gateway nor take more time than that process may. Returns the program's reply, also one message;
 * undefined if it exited or was ended without one.
 */
export async function runChild(programPath: string, work: object, timeoutMs: number): Promise<unknown> {
  const child = fork(programPath, [], {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // It has a lower priority than the gateway, so that payments come first.
  if (child.pid !== undefined) setPriority(child.pid, 5);
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  try {
    return await requestReply(child, work);
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

function requestReply(child: ChildProcess, work: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // If sending fails, the error arrives after the exit, when the promise is already resolved.
    child
      .once('message', resolve)
      .once('exit', () => resolve(undefined))
      .on('error', reject);
    child.send(work);
  });
}
