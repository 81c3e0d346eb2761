import type { WebSocket } from 'ws';
import { z } from 'zod';

/** The owner of a live channel: the account for which the session that opened it acts. */
export type LiveOwner = {
  readonly merchantId: number;
  readonly sessionHash: Buffer;
  /** Whether the owner of the channel may receive messages of this type; absent if all. */
  readonly mayReceive?: (type: string) => boolean;
};

type OpenSocket = LiveOwner & { readonly socket: WebSocket; hasAnsweredPing: boolean };

/** Reads the type of a message, which the outbox wrote. */
const typed = z.object({ type: z.string() });

/** The close code of a session's sockets, and the account whose sockets stay open. */
type Closing = { readonly code: number; readonly keptId: number | undefined };

// If a dashboard is open in more tabs than this, the further tabs get no channel and poll instead.
const maxSocketsPerSession = 10;
// A client that is this far behind does not read, and its backlog only takes memory.
const maxBacklogBytes = 256 * 1024;
/** Used in place of a session's hash when all sessions were closed. */
const everySession = 'every session';

/** The sockets of this process, found by merchant and by session. */
export class LiveHub {
  readonly #byMerchant = new Map<number, Set<OpenSocket>>();
  readonly #bySession = new Map<string, Set<OpenSocket>>();
  /** For each look-up in progress: the sessions that were closed since it began (by hash). */
  readonly #lookups = new Set<Map<string, Closing>>();

  /**
   * Finds the owner of a token with `redeem`, which reads the database. If the owner's session was closed meanwhile,
   * which `redeem` may not have seen, `closedBy` is the code with which it was closed; otherwise it is undefined.
   */
  async lookUp(
    redeem: () => Promise<LiveOwner>,
  ): Promise<{ owner: LiveOwner; closedBy: number | undefined }> {
    const closings = new Map<string, Closing>();
    this.#lookups.add(closings);
    try {
      const owner = await redeem();
      const closing = closings.get(owner.sessionHash.toString('hex')) ?? closings.get(everySession);
      return { owner, closedBy: closing?.keptId === owner.merchantId ? undefined : closing?.code };
    } finally {
      this.#lookups.delete(closings);
    }
  }

  /** Adds a socket. Returns false if the session already has as many sockets as it may. */
  add(socket: WebSocket, owner: LiveOwner): boolean {
    const session = owner.sessionHash.toString('hex');
    if ((this.#bySession.get(session)?.size ?? 0) >= maxSocketsPerSession) return false;
    const openSocket: OpenSocket = { ...owner, socket, hasAnsweredPing: true };
    addTo(this.#byMerchant, owner.merchantId, openSocket);
    addTo(this.#bySession, session, openSocket);
    socket.on('pong', () => {
      openSocket.hasAnsweredPing = true;
    });
    socket.once('close', () => {
      removeFrom(this.#byMerchant, owner.merchantId, openSocket);
      removeFrom(this.#bySession, session, openSocket);
    });
    return true;
  }

  /** Returns whether no screen is open. */
  isEmpty(): boolean {
    return this.#byMerchant.size === 0;
  }

  /** Sends a message (JSON) to every open screen of an account that may receive it. */
  send(merchantId: number, message: string): void {
    // Read once, and only if an open screen is that of a member who may not receive everything.
    let type: string | undefined;
    for (const { socket, mayReceive } of this.#byMerchant.get(merchantId) ?? []) {
      if (mayReceive !== undefined) {
        type ??= typed.parse(JSON.parse(message)).type;
        if (!mayReceive(type)) continue;
      }
      if (socket.bufferedAmount > maxBacklogBytes) socket.terminate();
      else socket.send(message);
    }
  }

  /** The hashes of the sessions that have a channel open. */
  sessions(): Buffer[] {
    return [...this.#bySession.keys()].map((session) => Buffer.from(session, 'hex'));
  }

  /**
   * Closes the sockets of a session, which is named by its hash in hexadecimal. Those that are open for the account
   * `keptId` stay.
   */
  closeSession(session: string, code: number, keptId?: number): void {
    for (const closings of this.#lookups) closings.set(session, { code, keptId });
    for (const { socket, merchantId } of this.#bySession.get(session) ?? [])
      if (merchantId !== keptId) socket.close(code);
  }

  closeAll(code: number): void {
    for (const closings of this.#lookups) closings.set(everySession, { code, keptId: undefined });
    for (const openSockets of this.#bySession.values())
      for (const { socket } of openSockets) socket.close(code);
  }

  /** Pings every socket, and terminates those that have not answered the last ping. */
  ping(): void {
    for (const openSockets of this.#bySession.values()) {
      for (const openSocket of openSockets) {
        if (!openSocket.hasAnsweredPing) openSocket.socket.terminate();
        openSocket.hasAnsweredPing = false;
        if (openSocket.socket.readyState === openSocket.socket.OPEN) openSocket.socket.ping();
      }
    }
  }
}

function addTo<K>(map: Map<K, Set<OpenSocket>>, key: K, openSocket: OpenSocket): void {
  const openSockets = map.get(key);
  if (openSockets === undefined) map.set(key, new Set([openSocket]));
  else openSockets.add(openSocket);
}

function removeFrom<K>(map: Map<K, Set<OpenSocket>>, key: K, openSocket: OpenSocket): void {
  const openSockets = map.get(key);
  openSockets?.delete(openSocket);
  if (openSockets?.size === 0) map.delete(key);
}
