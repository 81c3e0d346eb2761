import type { WebSocket } from 'ws';

const mostOfOneNetwork = 64;
const most = 1024;

/** Open sockets without an owner, or that lost theirs: each costs memory, so their number is limited. */
export class UnauthenticatedSockets {
  readonly #byNetwork = new Map<string, number>();
  #all = 0;

  /** Returns whether this network may open another socket. */
  admit(network: string): boolean {
    return this.#all < most && (this.#byNetwork.get(network) ?? 0) < mostOfOneNetwork;
  }

  /** Counts a socket until it closes, or until the returned function is called. */
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
