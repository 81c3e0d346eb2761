import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy before PostgreSQL that can behave like a host that vanishes: its connections stay open and say nothing. */
export type SilentProxy = {
  /** The URL of the database through the proxy. */
  url(databaseUrl: string): string;
  /** From now on, new connections reach the server of this URL. */
  leadTo(serverUrl: string): void;
  /** From now on, open connections swallow what is sent either way; new ones reach the server. */
  silenceOpen(): void;
  /** Whether new connections are accepted and then swallowed too. */
  swallowNew(isSwallowed: boolean): void;
  /** From now on, open connections are broken, and new ones too while this is so. */
  refuse(isRefused: boolean): void;
  stop(): Promise<void>;
};

/** Starts such a proxy before the server of this URL, which it reaches by TCP. */
export async function startSilentProxy(serverUrl: string): Promise<SilentProxy> {
  let target = new URL(serverUrl);
  const open = new Set<Socket>();
  const piped = new Set<() => void>();
  let swallows = false;
  let refuses = false;
  const server = createServer((near) => {
    near.on('error', () => {}).once('close', () => open.delete(near));
    open.add(near);
    if (refuses) return void near.destroy();
    if (swallows) return void near.resume();
    const far = connect(Number(target.port), target.hostname);
    open.add(far);
    far.on('error', () => near.destroy()).once('close', () => open.delete(far));
    near.pipe(far).pipe(near);
    const silence = () => {
      near.unpipe().resume();
      far.unpipe().resume();
    };
    piped.add(silence);
    // After the silence neither side hears that the other has closed.
    near.once('close', () => piped.delete(silence) && far.destroy());
    far.once('close', () => piped.delete(silence) && near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url(databaseUrl) {
      const url = new URL(databaseUrl);
      url.host = `127.0.0.1:${port}`;
      url.searchParams.delete('host');
      return url.href;
    },
    leadTo(newServerUrl) {
      target = new URL(newServerUrl);
    },
    silenceOpen() {
      for (const silence of piped) silence();
      piped.clear();
    },
    swallowNew(isSwallowed) {
      swallows = isSwallowed;
    },
    refuse(isRefused) {
      refuses = isRefused;
      if (refuses) for (const socket of open) socket.destroy();
    },
    async stop() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
