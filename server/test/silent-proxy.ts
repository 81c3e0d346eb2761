import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy in front of PostgreSQL that can behave like a vanished host: its connections stay open but carry no data. */
export type SilentProxy = {
  /** The URL of the database through the proxy. */
  url(databaseUrl: string): string;
  /** From now on, new connections reach the server of this URL. */
  redirectTo(serverUrl: string): void;
  /** From now on, the connections that are open discard all data in both directions. New ones reach the server. */
  silenceOpen(): void;
  /** Sets whether new connections are accepted but never reach the server. */
  setNewConnectionsSwallowed(isSwallowed: boolean): void;
  /** If true, breaks all open connections, and from now on new ones too. If false, new ones are accepted again. */
  setConnectionsRefused(isRefused: boolean): void;
  stop(): Promise<void>;
};

/** Starts a proxy in front of the server at this URL, which the proxy reaches by TCP. */
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
    redirectTo(newServerUrl) {
      target = new URL(newServerUrl);
    },
    silenceOpen() {
      for (const silence of piped) silence();
      piped.clear();
    },
    setNewConnectionsSwallowed(isSwallowed) {
      swallows = isSwallowed;
    },
    setConnectionsRefused(isRefused) {
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
