import type { WebSocket } from 'ws';

/** Enough for many people who share a network and open the panel at the same moment. */
const maxPerNetwork = 64;
const maxTotal = 1024;

/**
 * Counts open WebSockets without an authenticated owner: those whose token is being checked, and those that were
 * refused but are not closed yet. Each costs memory, so their number is limited.
 */
export class UnauthenticatedSockets {
  readonly #byNetwork = new Map<string, number>();
  #total = 0;

  /** Returns whether this network may open another socket. */
  hasRoomFor(network: string): boolean {
    return this.#total < maxTotal && (this.#byNetwork.get(network) ?? 0) < maxPerNetwork;
  }

  /** Counts a socket until it closes, or until the returned function is called because its owner was authenticated. */
  enter(socket: WebSocket, network: string): () => void {
    this.#count(network, 1);
    let isCounted = true;
    const stopCounting = () => {
      if (isCounted) this.#count(network, -1);
      isCounted = false;
    };
    socket.once('close', stopCounting);
    return stopCounting;
  }

  #count(network: string, change: 1 | -1): void {
    this.#total += change;
    const socketCount = (this.#byNetwork.get(network) ?? 0) + change;
    if (socketCount === 0) this.#byNetwork.delete(network);
    else this.#byNetwork.set(network, socketCount);
  }
}
