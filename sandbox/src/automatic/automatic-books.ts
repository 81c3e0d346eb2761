import type { Webhook } from '../records.ts';
import type {
  AutomaticRecord,
  AutomaticWebhookKind,
  RecLocation,
  SandboxCobr,
  SandboxRec,
  SandboxSolicRec,
} from './automatic-records.ts';
import { DueQueue } from './due-queue.ts';

/** What is done at its `dueAt`. */
export type AutomaticTask =
  | { readonly kind: 'rec'; readonly rec: SandboxRec }
  | { readonly kind: 'solicrec'; readonly solicRec: SandboxSolicRec }
  | { readonly kind: 'cobr'; readonly cobr: SandboxCobr };

/** The part of an account's books that is about Pix Automático. It changes only through `Books.record`. */
export class AutomaticBooks {
  /** The mandates by idRec, oldest first. */
  readonly recs = new Map<string, SandboxRec>();
  readonly solicRecs = new Map<string, SandboxSolicRec>();
  /** The idSolicRec of all requests for a rec, oldest first. */
  readonly solicRecIdsByRec = new Map<string, string[]>();
  /** The recurring charges by txid, oldest first. */
  readonly cobrs = new Map<string, SandboxCobr>();
  /** The txids of a rec's charges, oldest first. */
  readonly txidsByRec = new Map<string, string[]>();
  readonly locations = new Map<number, RecLocation>();
  readonly locationIdByToken = new Map<string, number>();
  readonly webhooks = new Map<AutomaticWebhookKind, Webhook>();
  readonly #due = new DueQueue();
  #nextLocationId = 1;

  get size(): number {
    const { recs, solicRecs, cobrs, locations, webhooks } = this;
    return recs.size + solicRecs.size + cobrs.size + locations.size + webhooks.size;
  }

  /** Returns an unused location id. */
  takeLocationId(): number {
    return this.#nextLocationId++;
  }

  cobrsOf(idRec: string): SandboxCobr[] {
    return (this.txidsByRec.get(idRec) ?? []).flatMap((txid) => this.cobrs.get(txid) ?? []);
  }

  solicRecsOf(idRec: string): SandboxSolicRec[] {
    return (this.solicRecIdsByRec.get(idRec) ?? []).flatMap((id) => this.solicRecs.get(id) ?? []);
  }

  /** When the next task is due. */
  get nextDueAt(): number {
    this.#dropStale();
    return this.#due.first?.dueAt ?? Number.POSITIVE_INFINITY;
  }

  /** Takes the earliest task out of the queue. It returns there only by a record with a new `dueAt`. */
  takeNext(): AutomaticTask | undefined {
    this.#dropStale();
    const next = this.#due.takeFirst();
    return next && this.#taskOf(next.name);
  }

  /** Applies a record, and returns the time that it tells. */
  apply(record: AutomaticRecord): number {
    switch (record.t) {
      case 'rec':
        return this.#applyRec(record.rec);
      case 'solicrec':
        return this.#applySolicRec(record.solicRec);
      case 'cobr':
        return this.#applyCobr(record.cobr);
      case 'rec-location':
        return this.#applyLocation(record.recLocation);
      case 'automatic-webhook':
        if (record.webhook === null) this.webhooks.delete(record.kind);
        else this.webhooks.set(record.kind, record.webhook);
        return 0;
    }
  }

  /** Yields the records of the shortest journal that rebuilds this part of the books. */
  *snapshot(): Generator<AutomaticRecord[]> {
    for (const recLocation of this.locations.values()) yield [{ t: 'rec-location', recLocation }];
    for (const rec of this.recs.values()) yield [{ t: 'rec', rec }];
    for (const solicRec of this.solicRecs.values()) yield [{ t: 'solicrec', solicRec }];
    for (const cobr of this.cobrs.values()) yield [{ t: 'cobr', cobr }];
    for (const [kind, webhook] of this.webhooks) yield [{ t: 'automatic-webhook', kind, webhook }];
  }

  #applyRec(rec: SandboxRec): number {
    this.recs.set(rec.idRec, rec);
    this.#enqueue(`rec ${rec.idRec}`, rec.dueAt);
    return timeOf(rec);
  }

  #applySolicRec(solicRec: SandboxSolicRec): number {
    const { idSolicRec, idRec, dueAt } = solicRec;
    if (!this.solicRecs.has(idSolicRec)) append(this.solicRecIdsByRec, idRec, idSolicRec);
    this.solicRecs.set(idSolicRec, solicRec);
    this.#enqueue(`solicrec ${idSolicRec}`, dueAt);
    return timeOf(solicRec);
  }

  #applyCobr(cobr: SandboxCobr): number {
    if (!this.cobrs.has(cobr.txid)) append(this.txidsByRec, cobr.idRec, cobr.txid);
    this.cobrs.set(cobr.txid, cobr);
    this.#enqueue(`cobr ${cobr.txid}`, cobr.dueAt);
    return Math.max(timeOf(cobr), ...cobr.attempts.map(timeOf));
  }

  #applyLocation(location: RecLocation): number {
    this.locations.set(location.id, location);
    this.locationIdByToken.set(location.token, location.id);
    this.#nextLocationId = Math.max(this.#nextLocationId, location.id + 1);
    return location.createdAt;
  }

  #enqueue(name: string, dueAt: number | undefined): void {
    if (dueAt !== undefined) this.#due.add(name, dueAt);
  }

  /** Drops entries of what is no longer due, or is due at another time. */
  #dropStale(): void {
    for (let { first } = this.#due; first !== undefined; first = this.#due.first) {
      if (this.#dueAtOf(first.name) === first.dueAt) return;
      this.#due.takeFirst();
    }
  }

  #dueAtOf(name: string): number | undefined {
    const task = this.#taskOf(name);
    if (task === undefined) return undefined;
    if (task.kind === 'rec') return task.rec.dueAt;
    return task.kind === 'cobr' ? task.cobr.dueAt : task.solicRec.dueAt;
  }

  #taskOf(name: string): AutomaticTask | undefined {
    const [kind, id = ''] = name.split(' ');
    const rec = kind === 'rec' ? this.recs.get(id) : undefined;
    if (rec !== undefined) return { kind: 'rec', rec };
    const solicRec = kind === 'solicrec' ? this.solicRecs.get(id) : undefined;
    if (solicRec !== undefined) return { kind: 'solicrec', solicRec };
    const cobr = kind === 'cobr' ? this.cobrs.get(id) : undefined;
    return cobr && { kind: 'cobr', cobr };
  }
}

/** The last time in the history of something. */
function timeOf({ history }: { readonly history: readonly { at: number }[] }): number {
  return history.at(-1)?.at ?? 0;
}

function append(lists: Map<string, string[]>, name: string, item: string): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [item]);
  else list.push(item);
}
