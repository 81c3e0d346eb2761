import type { Books } from './books.ts';
import { LONGEST_TIMER_MS } from './clock.ts';
import type { Notifier, Subject } from './notifier.ts';
import { continuePayout } from './payout.ts';
import type { BookRecord, Payout, SandboxRefund } from './records.ts';

/** The records of one change of the books, and what the webhook is notified of because of it. */
interface Step {
  readonly records: BookRecord[];
  readonly subjects: Subject[];
}

/**
 * Continues pending refunds and payouts when they are due, until they are finished. Their due times are in the books,
 * so pending operations survive a restart.
 */
export class Settler {
  readonly #books: Books;
  readonly #notifier: Notifier;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(books: Books, notifier: Notifier) {
    this.#books = books;
    this.#notifier = notifier;
  }

  /** Continues operations that are due. Call it when a new operation is on disk and after the time was moved. */
  wake(): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    const { pending, clock } = this.#books;
    const now = clock.now();
    for (const operation of [...pending.values()])
      if (dueOf(operation) <= now) this.#continue(operation, now);
    let nextDueAt = Number.POSITIVE_INFINITY;
    for (const operation of pending.values()) nextDueAt = Math.min(nextDueAt, dueOf(operation));
    if (pending.size > 0) {
      this.#timer = setTimeout(() => this.wake(), Math.min(nextDueAt - now, LONGEST_TIMER_MS)).unref();
    }
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #continue(operation: SandboxRefund | Payout, now: number): void {
    const { records, subjects } =
      'idEnvio' in operation ? this.#continuePayout(operation, now) : this.#endRefund(operation, now);
    // `recordAndNotify` rejects only if the journal cannot be written. All further calls then fail too, and the next
    // start of the bank continues from the last state in the journal.
    this.#notifier.recordAndNotify(records, subjects).catch(() => undefined);
  }

  #endRefund({ dueAt: _, ...refund }: SandboxRefund, now: number): Step {
    const ended: SandboxRefund =
      refund.fate === 'completes'
        ? { ...refund, status: 'DEVOLVIDO', settledAt: now }
        : { ...refund, status: 'NAO_REALIZADO', reason: 'Recusada pela instituição de quem pagou.' };
    const { endToEndId, id } = refund;
    const pix = this.#books.pix.get(endToEndId);
    // By BACEN's rule the webhook is notified of a refund only if it was notified of the Pix, so only if the Pix has a
    // txid.
    const subjects =
      pix?.txid === undefined ? [] : [{ id: `${endToEndId} ${id}`, endToEndId, key: pix.key, at: now }];
    return { records: [{ t: 'refund', refund: ended }], subjects };
  }

  #continuePayout(payout: Payout, now: number): Step {
    const { endToEndId, key } = payout;
    const { continued, items } = continuePayout(payout, now, this.#books.behaviour.payoutReturnSeconds);
    const subjects = items.map((item, index) => ({
      id: `payout ${payout.idEnvio} ${continued.cameBack === undefined ? 'result' : 'return'} ${index}`,
      endToEndId,
      key,
      at: now,
      item,
    }));
    return { records: [{ t: 'payout', payout: continued }], subjects };
  }
}

function dueOf({ dueAt }: SandboxRefund | Payout): number {
  return dueAt ?? Number.POSITIVE_INFINITY;
}
