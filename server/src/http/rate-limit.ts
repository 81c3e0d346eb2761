/** A caller's calls in the current one-minute window. */
type Window = { endsAt: number; calls: number };

export type RateLimitVerdict = {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetSeconds: number;
};

/** How many callers' windows are kept in memory at most. */
const maxCallers = 10_000;

/**
 * Counts calls per caller and minute in this process: a protection against floods, not a business rule. Therefore it
 * uses the machine's clock rather than business time.
 */
export class RateLimit {
  readonly #windows = new Map<string, Window>();
  readonly limit: number;

  /** `limit`: calls per minute; 0 for no limit. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** Counts one call, or as many as one is worth, and returns whether it may pass. */
  take(caller: string, now = Date.now(), calls = 1): RateLimitVerdict {
    const window = this.#windowOf(caller, now);
    window.calls += calls;
    return this.#verdictOf(window, now);
  }

  /** Returns whether another call would pass, without counting it. */
  peek(caller: string, now = Date.now()): RateLimitVerdict {
    const current = this.#windows.get(caller);
    const calls = current === undefined || current.endsAt <= now ? 0 : current.calls;
    return this.#verdictOf({ endsAt: current?.endsAt ?? now, calls: calls + 1 }, now);
  }

  #verdictOf({ calls, endsAt }: Window, now: number): RateLimitVerdict {
    return {
      allowed: this.limit === 0 || calls <= this.limit,
      remaining: Math.max(0, this.limit - calls),
      resetSeconds: Math.max(1, Math.ceil((endsAt - now) / 1000)),
    };
  }

  #windowOf(caller: string, now: number): Window {
    const current = this.#windows.get(caller);
    if (current !== undefined && current.endsAt > now) return current;
    // Re-inserted at the end, so that the map stays in the order in which windows end.
    this.#windows.delete(caller);
    this.#dropWindows(now);
    const window = { endsAt: now + 60_000, calls: 0 };
    this.#windows.set(caller, window);
    return window;
  }

  /** Drops expired windows and, in a flood of callers, the oldest ones, so that memory is bounded. */
  #dropWindows(now: number): void {
    for (const [caller, { endsAt }] of this.#windows) {
      if (endsAt > now && this.#windows.size < maxCallers) return;
      this.#windows.delete(caller);
    }
  }
}
