import type { WebSocket } from 'ws';

/** The owner of a live channel: the merchant, and the session that opened it. */
export type LiveOwner = { readonly merchantId: number; readonly sessionHash: Buffer };

type Entry = LiveOwner & { readonly socket: WebSocket; answered: boolean };

// A dashboard open in more tabs than this gives the further ones no channel; they poll instead.
const socketsPerSession = 10;
// A client this many bytes behind is not reading, and its backlog only takes memory.
const backlogBytes = 256 * 1024;
const every = 'every session';

/** The sockets of this process, found by merchant and by session. */
export class LiveHub {
  readonly #byMerchant = new Map<number, Set<Entry>>();
  readonly #bySession = new Map<string, Set<Entry>>();
  readonly #lookups = new Set<Map<string, number>>();

  /**
   * Finds an owner by `redeem`. `closedBy` is the code by which its session was closed meanwhile: what the database told
   * may be older than that.
   */
  async lookUp(
    redeem: () => Promise<LiveOwner>,
  ): Promise<{ owner: LiveOwner; closedBy: number | undefined }> {
    const closed = new Map<string, number>();
    this.#lookups.add(closed);
    try {
      const owner = await redeem();
      return { owner, closedBy: closed.get(owner.sessionHash.toString('hex')) ?? closed.get(every) };
    } finally {
      this.#lookups.delete(closed);
    }
  }

  /** Returns false when the session already has as many sockets as it may. */
  add(socket: WebSocket, owner: LiveOwner): boolean {
    const session = owner.sessionHash.toString('hex');
    if ((this.#bySession.get(session)?.size ?? 0) >= socketsPerSession) return false;
    const entry: Entry = { ...owner, socket, answered: true };
    put(this.#byMerchant, owner.merchantId, entry);
    put(this.#bySession, session, entry);
    socket.on('pong', () => {
      entry.answered = true;
    });
    socket.once('close', () => {
      take(this.#byMerchant, owner.merchantId, entry);
      take(this.#bySession, session, entry);
    });
    return true;
  }

  /** Returns whether no screen is open. */
  isEmpty(): boolean {
    return this.#byMerchant.size === 0;
  }

  /** Sends a message (JSON) to every open screen of a merchant. */
  tell(merchantId: number, message: string): void {
    for (const { socket } of this.#byMerchant.get(merchantId) ?? []) {
      if (socket.bufferedAmount > backlogBytes) socket.terminate();
      else socket.send(message);
    }
  }

  /** The hashes of the sessions that have a channel open. */
  sessions(): Buffer[] {
    return [...this.#bySession.keys()].map((session) => Buffer.from(session, 'hex'));
  }

  /** `session`: its hash in hexadecimal. */
  closeSession(session: string, code: number): void {
    for (const closed of this.#lookups) closed.set(session, code);
    for (const { socket } of this.#bySession.get(session) ?? []) socket.close(code);
  }

  closeAll(code: number): void {
    for (const closed of this.#lookups) closed.set(every, code);
    for (const entries of this.#bySession.values()) for (const { socket } of entries) socket.close(code);
  }

  /** Pings every socket, and terminates those that have not answered since the last ping. */
  ping(): void {
    for (const entries of this.#bySession.values()) {
      for (const entry of entries) {
        if (!entry.answered) entry.socket.terminate();
        entry.answered = false;
        if (entry.socket.readyState === entry.socket.OPEN) entry.socket.ping();
      }
    }
  }
}

function put<K>(map: Map<K, Set<Entry>>, key: K, entry: Entry): void {
  const entries = map.get(key);
  if (entries === undefined) map.set(key, new Set([entry]));
  else entries.add(entry);
}

function take<K>(map: Map<K, Set<Entry>>, key: K, entry: Entry): void {
  const entries = map.get(key);
  entries?.delete(entry);
  if (entries?.size === 0) map.delete(key);
}
