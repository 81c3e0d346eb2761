import type { Books } from './books.ts';
import { LONGEST_TIMER_MS } from './clock.ts';
import type { Notifier, Subject } from './notifier.ts';
import { continuePayout } from './payout.ts';
import type { BookRecord, Payout, SandboxRefund } from './records.ts';

/** The records of one change of the books, and what the webhook is notified of because of it. */
interface Step {
  readonly records: BookRecord[];
  readonly subjects: Subject[];
  /** The payout that completes by this change. */
  readonly completed?: Payout;
}

/**
 * Books a completed payout at its payee's account if that is one of this bank, and resolves once it is on disk there.
 * Returns undefined if the payee's account is at the other bank.
 */
type Deliver = (payout: Payout, now: number) => Promise<void> | undefined;

/**
 * Continues pending refunds and payouts when they are due, until they are finished. Their due times are in the books,
 * so pending operations survive a restart.
 */
export class Settler {
  readonly #books: Books;
  readonly #notifier: Notifier;
  readonly #deliver: Deliver;
  /** Payouts that are being booked at their payee's account, and are recorded as completed after that. */
  readonly #arriving = new WeakSet<SandboxRefund | Payout>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(books: Books, notifier: Notifier, deliver: Deliver) {
    this.#books = books;
    this.#notifier = notifier;
    this.#deliver = deliver;
  }

  /** Continues operations that are due. Call it when a new operation is on disk and after the time was moved. */
  wake(): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    const { pending, clock } = this.#books;
    const now = clock.now();
    for (const operation of [...pending.values()])
      if (this.#dueOf(operation) <= now) this.#continue(operation, now);
    let nextDueAt = Number.POSITIVE_INFINITY;
    for (const operation of pending.values()) nextDueAt = Math.min(nextDueAt, this.#dueOf(operation));
    if (nextDueAt < Number.POSITIVE_INFINITY) {
      this.#timer = setTimeout(() => this.wake(), Math.min(nextDueAt - now, LONGEST_TIMER_MS)).unref();
    }
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #continue(operation: SandboxRefund | Payout, now: number): void {
    const { records, subjects, completed } =
      'idEnvio' in operation ? this.#continuePayout(operation, now) : this.#endRefund(operation, now);
    const delivery = completed && this.#deliver(completed, now);
    if (delivery !== undefined) this.#arriving.add(operation);
    // The payee's journal is written first: after a crash between the two the payout is still pending and is delivered
    // again, which the payee's account then ignores.
    const isRecorded =
      delivery === undefined
        ? this.#notifier.recordAndNotify(records, subjects)
        : delivery.then(() => this.#notifier.recordAndNotify(records, subjects));
    // The promise rejects only if a journal cannot be written. All further calls then fail too, and the next start of
    // the bank continues from the last state in the journal.
    isRecorded.catch(() => undefined);
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
    // A payout that will come back never reaches the payee's account: it is as if that account refused the money.
    const isDelivered = continued.status === 'REALIZADO' && payout.fate === 'completes';
    return {
      records: [{ t: 'payout', payout: continued }],
      subjects,
      ...(isDelivered && { completed: continued }),
    };
  }

  #dueOf(operation: SandboxRefund | Payout): number {
    if (this.#arriving.has(operation)) return Number.POSITIVE_INFINITY;
    return operation.dueAt ?? Number.POSITIVE_INFINITY;
  }
}
