import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pTimeout from 'p-timeout';

/**
 * The contents of `postmaster.pid`, the file in which the postmaster (PostgreSQL's main process) records itself while
 * it runs. PostgreSQL's miscadmin.h documents the lines of the file.
 */
export type PostmasterFile = { pid: number; directory: string; ready: boolean };

export const postmasterFilePath = (cluster: string): string => join(cluster, 'postmaster.pid');

/** Reads a cluster's `postmaster.pid`; undefined if it is missing or still being written. */
export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  let text: string;
  try {
    text = readFileSync(postmasterFilePath(cluster), 'utf8');
  } catch {
    return undefined;
  }
  const [pid, directory, , , , , , status] = text.split('\n');
  if (directory === undefined || !/^\d+$/.test(pid ?? '')) return undefined;
  // A standby accepts connections too, so it counts as ready.
  return { pid: Number(pid), directory, ready: ['ready', 'standby'].includes(status?.trim() ?? '') };
}

/**
 * Returns whether the process named by a `postmaster.pid` is still that server. The pid alone proves nothing: after a
 * reboot, or in a new container, it may belong to another program.
 */
export function isRunningPostmaster({ pid, directory }: PostmasterFile): boolean {
  const [program, ...args] = commandOf(pid);
  return program !== undefined && basename(program).startsWith('postgres') && args.includes(directory);
}

function commandOf(pid: number): string[] {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
    return (stdout ?? '').trim().split(' ');
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/**
 * Stops a server that outlived the process that started it, and removes a pid file whose pid now belongs to another
 * program (PostgreSQL would mistake that program for a server and refuse to start). Never removes the file of a live
 * server. If no process has the pid, the file stays: PostgreSQL replaces it and recovers at its next start.
 */
export async function stopLeftoverPostmaster(cluster: string): Promise<void> {
  const file = readPostmasterFile(cluster);
  if (file === undefined) return;
  if (isRunningPostmaster(file)) return stopPostmaster(file.pid, waitUntilGone(file));
  if (isAlive(file.pid)) await rm(postmasterFilePath(cluster));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function waitUntilGone(file: PostmasterFile): Promise<void> {
  while (isRunningPostmaster(file)) await sleep(20);
}

/**
 * Stops a server by fast shutdown (SIGINT: ends sessions, writes a checkpoint); after 30 seconds by immediate shutdown
 * (SIGQUIT: nothing committed is lost, the next start replays the log). Throws if the server survives both.
 */
export async function stopPostmaster(pid: number, exited: Promise<void>): Promise<void> {
  for (const [signal, milliseconds] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 15_000],
  ] as const) {
    if (!sendSignal(pid, signal)) return exited;
    if (await settlesWithin(exited, milliseconds)) return;
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop`);
}

/** Returns false if the process no longer exists. */
function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function settlesWithin(promise: Promise<void>, milliseconds: number): Promise<boolean> {
  return pTimeout(
    promise.then(() => true),
    { milliseconds, fallback: () => false },
  );
}
