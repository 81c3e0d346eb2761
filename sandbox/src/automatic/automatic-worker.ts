import type { Bank } from '../bank.ts';
import { specialEffect } from '../behaviour.ts';
import { LONGEST_TIMER_MS } from '../clock.ts';
import type { AutomaticTask } from './automatic-books.ts';
import { continueCobr, type DebitPayer } from './continue-cobr.ts';
import type { AutomaticChange } from './end-rec.ts';
import { moveRec, recSubject } from './rec.ts';
import { continueSolicRec } from './solicrec.ts';

/**
 * Does what is due in Pix Automático, each thing at the time at which it was due and in that order, even if the clock
 * went on by a year at once. What is due is in the books, so it survives a restart.
 */
export class AutomaticWorker {
  readonly #bank: () => Bank;
  readonly #debitPayer: DebitPayer;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(bank: () => Bank, debitPayer: DebitPayer) {
    this.#bank = bank;
    this.#debitPayer = debitPayer;
  }

  /** Does what is due. Call it when something new is on disk and after the time was moved. */
  wake(): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    const { automatic, clock } = this.#bank().books;
    const now = clock.now();
    for (let at = automatic.nextDueAt; at <= now; at = automatic.nextDueAt) {
      const task = automatic.takeNext();
      if (task !== undefined) this.#record(task, at);
    }
    const { nextDueAt } = automatic;
    if (nextDueAt < Number.POSITIVE_INFINITY) {
      this.#timer = setTimeout(() => this.wake(), Math.min(nextDueAt - now, LONGEST_TIMER_MS)).unref();
    }
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #record(task: AutomaticTask, at: number): void {
    const { records, subjects } = this.#continue(task, at);
    const effect = task.kind === 'cobr' ? specialEffect(task.cobr.amountCents) : undefined;
    // The promise rejects only if the journal cannot be written. All further calls then fail too, and the next start of
    // the bank continues from the last state in the journal.
    this.#bank()
      .notifier.recordAndNotify(records, subjects, effect)
      .catch(() => undefined);
  }

  #continue(task: AutomaticTask, at: number): AutomaticChange {
    const bank = this.#bank();
    if (task.kind === 'solicrec') return continueSolicRec(bank, task.solicRec, at);
    if (task.kind === 'rec') {
      const rec = moveRec(task.rec, 'EXPIRADA', at);
      return { records: [{ t: 'rec', rec }], subjects: [recSubject(rec)] };
    }
    const rec = bank.books.automatic.recs.get(task.cobr.idRec);
    if (rec === undefined) throw new Error('The charge has no mandate');
    return continueCobr(bank, rec, task.cobr, at, this.#debitPayer);
  }
}
