/**
 * The bank's clock, in milliseconds since 1970: the machine's clock, or an injected one, plus an offset by which tests
 * move the time. The bank's time is never earlier than an entry in the books.
 */
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
    // The clock is set back only while the books are empty (`Books.isEmpty`), so no entry can be later than the new
    // time.
    if (value < this.#offsetMs) this.#last = 0;
    this.#offsetMs = value;
  }

  /** Keeps the time from being earlier than an entry in the books, even if the machine's clock was set back. */
  ensureNotBefore(moment: number): void {
    this.#last = Math.max(this.#last, moment);
  }
}

/** Formats a time as the API does: RFC 3339 in UTC. */
export function formatMoment(moment: number): string {
  return new Date(moment).toISOString();
}

/** The maximum delay of setTimeout: a longer one would fire immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
