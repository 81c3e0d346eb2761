import { rm, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A lock on a directory, held until `release` or until this process exits for any reason. */
export type DirectoryLock = { release(): Promise<void> };

/**
 * Takes an exclusive lock on a directory. Returns undefined if this or another process on this machine already holds
 * the lock. The lock is a listening socket without traffic: the kernel grants the address to one process and frees it
 * when that process dies, so no lock file outlives a `kill -9`.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock | undefined> {
  const { dev, ino } = await stat(directory);
  const address = lockAddress(`jangada-${dev}-${ino}`);
  const server = (await listen(address)) ?? (await listenAfterCrash(address));
  if (server === undefined) return undefined;
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

function lockAddress(name: string): string {
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(tmpdir(), `${name}.lock`);
}

function listen(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((peer) => peer.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(address, () => resolve(server.unref()));
  });
}

/**
 * On systems other than Linux and Windows the socket is a file, which a killed process leaves behind. If no process
 * accepts connections on that file, it is removed and the lock is tried once more.
 */
async function listenAfterCrash(address: string): Promise<Server | undefined> {
  if (process.platform === 'linux' || process.platform === 'win32') return undefined;
  if (await isListening(address)) return undefined;
  await rm(address, { force: true });
  return listen(address);
}

function isListening(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const peer = connect(address);
    peer.once('connect', () => resolve(true)).once('error', () => resolve(false));
    peer.once('close', () => peer.destroy());
  });
}
