import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningProcess, startProcess } from '../receiving/start-process.ts';
import {
  type ReceivedCall,
  type ReceiversCommand,
  receivedCall,
  receiversCount,
  receiversPorts,
} from './receivers-protocol.ts';

/** The merchants' servers, in a separate process that handles one request at a time. */
export type Receivers = {
  readonly process: RunningProcess;
  /** The URL of each endpoint. */
  readonly urls: readonly string[];
  /** Makes some endpoints fail or hang from now on. */
  startFailures(): Promise<void>;
  /** Returns the number of calls that got a 204. */
  countAccepted(): Promise<number>;
  /** Reads all calls received so far. */
  readCalls(): Promise<ReceivedCall[]>;
};

export async function startReceivers(folder: string, endpoints: number): Promise<Receivers> {
  const running = startProcess({
    program: new URL('./receivers.ts', import.meta.url),
    env: { ENDPOINTS: String(endpoints) },
    log: join(folder, 'receivers.log'),
  });
  const { child } = running;
  const ended = new Promise<never>((_, reject) => {
    child.once('exit', () => reject(new Error(`The receivers ended:\n${running.output()}`)));
  });
  ended.catch(() => {});
  const nextMessage = async () => (await Promise.race([once(child, 'message'), ended]))[0] as unknown;
  const send = async (command: ReceiversCommand) => {
    const reply = nextMessage();
    child.send(command);
    return receiversCount.parse(await reply);
  };
  const { ports } = receiversPorts.parse(await nextMessage());
  return {
    process: running,
    urls: ports.map((port) => `http://127.0.0.1:${port}/webhooks`),
    startFailures: async () => void (await send({ command: 'start failures' })),
    countAccepted: async () => (await send({ command: 'count' })).accepted,
    async readCalls() {
      const file = join(folder, 'received.calls');
      await send({ command: 'write', file });
      const lines = readFileSync(file, 'utf8').split('\n');
      return lines.filter((line) => line !== '').map((line) => receivedCall.parse(JSON.parse(line)));
    },
  };
}
