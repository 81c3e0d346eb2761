import type { WebSocket } from 'ws';

const mostOfOneNetwork = 64;
const most = 1024;

/** Sockets that were opened and belong to nobody yet, or no more: each costs memory, so there are only so many. */
export class UnauthenticatedSockets {
  readonly #byNetwork = new Map<string, number>();
  #all = 0;

  /** Whether another socket of this network may be opened. */
  admit(network: string): boolean {
    return this.#all < most && (this.#byNetwork.get(network) ?? 0) < mostOfOneNetwork;
  }

  /** Counts a socket until it closes, or until what this answers is called. */
  enter(socket: WebSocket, network: string): () => void {
    this.#count(network, 1);
    let counted = true;
    const leave = () => {
      if (counted) this.#count(network, -1);
      counted = false;
    };
    socket.once('close', leave);
    return leave;
  }

  #count(network: string, change: 1 | -1): void {
    this.#all += change;
    const sockets = (this.#byNetwork.get(network) ?? 0) + change;
    if (sockets === 0) this.#byNetwork.delete(network);
    else this.#byNetwork.set(network, sockets);
  }
}
