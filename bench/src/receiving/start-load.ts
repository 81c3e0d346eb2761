import { once } from 'node:events';
import { type LoadJob, type LoadReport, loadReport } from './load-protocol.ts';
import { type RunningProcess, startProcess } from './start-process.ts';

/** The load process, which sends calls to the gateway. */
export type Load = {
  readonly process: RunningProcess;
  /** Runs a job and returns its report. Several jobs may run at the same time. */
  run(job: Omit<LoadJob, 'id'>): Promise<LoadReport>;
  /** Starts a job that is ended by `stop`, which breaks off the calls that wait and returns the report. */
  start(job: Omit<LoadJob, 'id'>): { stop(): Promise<LoadReport> };
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
  const send = (job: Omit<LoadJob, 'id'>) => {
    const id = ++lastId;
    const pending = Promise.withResolvers<LoadReport>();
    pendingJobs.set(id, pending);
    if (hasEnded) pending.reject(endedError());
    else child.send({ ...job, id });
    return { id, report: pending.promise };
  };
  return {
    process: running,
    run: (job) => send(job).report,
    start(job) {
      const { id, report } = send(job);
      // A job that fails does so before somebody waits for it.
      report.catch(() => {});
      return {
        stop() {
          if (!hasEnded) child.send({ stop: id });
          return report;
        },
      };
    },
  };
}
