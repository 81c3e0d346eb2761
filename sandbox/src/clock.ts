/** The bank's time, in milliseconds: the machine's clock, or another one that was handed in, moved forward on demand. What stands in the books is never in its future. */
export class VirtualClock {
  readonly #machine: () => number;
  #offsetMs = 0;
  #last = 0;

  constructor(machine: () => number = Date.now) {
    this.#machine = machine;
  }

  now(): number {
    this.#last = Math.max(this.#last, this.#machine() + this.#offsetMs);
    return this.#last;
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  set offsetMs(value: number) {
    // Only books in which nothing stands yet are ever set back.
    if (value < this.#offsetMs) this.#last = 0;
    this.#offsetMs = value;
  }

  /** What stands in the books may not be younger than the present, even if the machine's clock was set back. */
  notBefore(moment: number): void {
    this.#last = Math.max(this.#last, moment);
  }
}

/** A moment as the API writes it: RFC 3339 in UTC. */
export function formatMoment(moment: number): string {
  return new Date(moment).toISOString();
}
