import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningProcess, startProcess } from '../receiving/start-process.ts';
import {
  type ReceivedCall,
  type ReceiversOrder,
  receivedCall,
  receiversCount,
  receiversPorts,
} from './receivers-protocol.ts';

/** The merchants' servers, in a separate process that handles one request at a time. */
export type Receivers = {
  readonly process: RunningProcess;
  /** The address of each endpoint. */
  readonly urls: readonly string[];
  /** From now on some endpoints fail or hang. */
  makeTrouble(): Promise<void>;
  /** The number of calls that got a 204. */
  countTaken(): Promise<number>;
  /** All calls received so far. */
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
  const answer = async () => (await Promise.race([once(child, 'message'), ended]))[0] as unknown;
  const ask = async (order: ReceiversOrder) => {
    const answered = answer();
    child.send(order);
    return receiversCount.parse(await answered);
  };
  const { ports } = receiversPorts.parse(await answer());
  return {
    process: running,
    urls: ports.map((port) => `http://127.0.0.1:${port}/webhooks`),
    makeTrouble: async () => void (await ask({ order: 'trouble' })),
    countTaken: async () => (await ask({ order: 'count' })).taken,
    async readCalls() {
      const file = join(folder, 'received.calls');
      await ask({ order: 'write', file });
      const lines = readFileSync(file, 'utf8').split('\n');
      return lines.filter((line) => line !== '').map((line) => receivedCall.parse(JSON.parse(line)));
    },
  };
}
