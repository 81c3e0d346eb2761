import { once } from 'node:events';
import { type LoadJob, type LoadReport, loadReport } from './load-protocol.ts';
import { type RunningProcess, startProcess } from './start-process.ts';

/** The load process, which sends calls to the gateway. */
export type Load = {
  readonly process: RunningProcess;
  /** Runs a job and returns its report. Several jobs may run at the same time. */
  run(job: Omit<LoadJob, 'id'>): Promise<LoadReport>;
};

export async function startLoad(log: string): Promise<Load> {
  const running = startProcess({ program: new URL('./load.ts', import.meta.url), env: {}, log });
  const { child } = running;
  const pendingJobs = new Map<number, PromiseWithResolvers<LoadReport>>();
  let lastId = 0;
  let hasEnded = false;
  const endedError = () => new Error(`The load process ended:\n${running.output()}`);
  child.once('exit', () => {
    hasEnded = true;
    for (const job of pendingJobs.values()) job.reject(endedError());
  });
  await once(child, 'message');
  child.on('message', (message) => {
    const report = loadReport.parse(message);
    pendingJobs.get(report.id)?.resolve(report);
    pendingJobs.delete(report.id);
  });
  return {
    process: running,
    run(job) {
      if (hasEnded) return Promise.reject(endedError());
      lastId += 1;
      const pending = Promise.withResolvers<LoadReport>();
      pendingJobs.set(lastId, pending);
      child.send({ ...job, id: lastId });
      return pending.promise;
    },
  };
}
