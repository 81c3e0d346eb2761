/**
 * The bank's clock, in milliseconds since 1970: the machine's clock, or an injected one, plus an offset by which tests
 * move the time. The bank's time is never earlier than an entry in the books.
 */
export class VirtualClock {
  readonly #machineNow: () => number;
  #offsetMs = 0;
  #lastTime = 0;

  constructor(machineNow: () => number = Date.now) {
    this.#machineNow = machineNow;
  }

  now(): number {
    this.#lastTime = Math.max(this.#lastTime, this.#machineNow() + this.#offsetMs);
    return this.#lastTime;
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  set offsetMs(value: number) {
    // The clock is set back only while the books are empty (`Books.isEmpty`), so no entry can be later than the new
    // time.
    if (value < this.#offsetMs) this.#lastTime = 0;
    this.#offsetMs = value;
  }

  /** Keeps the time from being earlier than an entry in the books, even if the machine's clock was set back. */
  ensureNotBefore(moment: number): void {
    this.#lastTime = Math.max(this.#lastTime, moment);
  }
}

/** Formats a time as the API does: RFC 3339 in UTC. */
export function formatMoment(moment: number): string {
  return new Date(moment).toISOString();
}

/** The maximum delay of setTimeout: a longer one would fire immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
