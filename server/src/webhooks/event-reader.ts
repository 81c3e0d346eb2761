/**
 * A place in a merchant's log of events: the epoch, the PostgreSQL id of the transaction that wrote the event, and a
 * number within that transaction. A new epoch begins when the database moves to another server, because transaction ids
 * then start again.
 */
export type Position = readonly [epoch: number, tx: number, seq: number];

export const LOG_START: Position = [0, 0, 0];

export function isBefore(position: Position, other: Position): boolean {
  const differingIndex = position.findIndex((part, index) => part !== other[index]);
  return differingIndex >= 0 && (position[differingIndex] ?? 0) < (other[differingIndex] ?? 0);
}

function justBefore([epoch, tx, seq]: Position): Position {
  return [epoch, tx, seq - 1];
}

/** An event on a page of the log. `isWanted`: the reader must deliver it. */
export type ReadEvent = { readonly id: string; readonly position: Position; readonly isWanted: boolean };

/**
 * How far one reader of the log has come. It takes each event once, and its cursor never passes an event that it has
 * taken and not finished. A transaction that is still open may commit an event at a position before events that are
 * already visible. So the reader takes every event it sees, but then reads again from the horizon: the first position
 * at which an event may still appear.
 */
export class EventReader {
  #readUntil: Position;
  /** Events that were taken and are not finished. */
  readonly #unfinished = new Map<string, Position>();
  /** Events that are finished or not wanted, but lie past `readUntil` and so will be read again. */
  readonly #ended = new Map<string, Position>();

  constructor(cursor: Position) {
    this.#readUntil = cursor;
  }

  /** The position after which the next page begins. */
  get readUntil(): Position {
    return this.#readUntil;
  }

  /** How many events are taken and not finished. */
  get unfinishedCount(): number {
    return this.#unfinished.size;
  }

  /** The position up to which every wanted event is finished. */
  get cursor(): Position {
    let cursor = this.#readUntil;
    for (const position of this.#unfinished.values())
      if (!isBefore(cursor, position)) cursor = justBefore(position);
    return cursor;
  }

  /** Takes the next page of the log, in its order. Returns the events that are wanted and were not taken before. */
  take<T extends ReadEvent>(page: readonly T[], horizon: Position): T[] {
    const taken: T[] = [];
    for (const event of page) {
      if (this.#unfinished.has(event.id) || this.#ended.has(event.id)) continue;
      if (event.isWanted) taken.push(event);
      (event.isWanted ? this.#unfinished : this.#ended).set(event.id, event.position);
    }
    const last = page.at(-1)?.position ?? this.#readUntil;
    // Up to here, no event can appear any more.
    const complete = isBefore(last, horizon) ? last : justBefore(horizon);
    if (isBefore(this.#readUntil, complete)) this.#readUntil = complete;
    // What the next page no longer contains need not be remembered.
    for (const [id, position] of this.#ended)
      if (!isBefore(this.#readUntil, position)) this.#ended.delete(id);
    return taken;
  }

  /** Marks an event that was taken as finished, so that the cursor can pass it. */
  finish(id: string): void {
    const position = this.#unfinished.get(id);
    if (position === undefined) return;
    this.#unfinished.delete(id);
    if (isBefore(this.#readUntil, position)) this.#ended.set(id, position);
  }

  /** Puts back an event that was taken, so that it is read again. */
  putBack(id: string): void {
    const position = this.#unfinished.get(id);
    if (position === undefined) return;
    this.#unfinished.delete(id);
    const before = justBefore(position);
    if (isBefore(before, this.#readUntil)) this.#readUntil = before;
  }
}
