import { once } from 'node:events';
import { type LoadJob, type LoadReport, loadReport } from './load-protocol.ts';
import { type RunningProcess, startProcess } from './start-process.ts';

/** The load process. */
export type Load = {
  readonly process: RunningProcess;
  run(job: Omit<LoadJob, 'id'>): Promise<LoadReport>;
};

export async function startLoad(log: string): Promise<Load> {
  const running = startProcess({ program: new URL('./load.ts', import.meta.url), env: {}, log });
  const { child } = running;
  const waiting = new Map<number, PromiseWithResolvers<LoadReport>>();
  let lastId = 0;
  let ended = false;
  const endedError = () => new Error(`The load process ended:\n${running.output()}`);
  child.once('exit', () => {
    ended = true;
    for (const one of waiting.values()) one.reject(endedError());
  });
  await once(child, 'message');
  child.on('message', (message) => {
    const report = loadReport.parse(message);
    waiting.get(report.id)?.resolve(report);
    waiting.delete(report.id);
  });
  return {
    process: running,
    run(job) {
      if (ended) return Promise.reject(endedError());
      lastId += 1;
      const answer = Promise.withResolvers<LoadReport>();
      waiting.set(lastId, answer);
      child.send({ ...job, id: lastId });
      return answer.promise;
    },
  };
}
