import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isAppCustomer } from './account.ts';
import { AutomaticBooks } from './automatic/automatic-books.ts';
import { type Behaviour, NORMAL_BEHAVIOUR } from './behaviour.ts';
import { VirtualClock } from './clock.ts';
import { Journal, type JournalOptions } from './journal.ts';
import {
  type BookRecord,
  type CobvBatch,
  type Location,
  type Payout,
  type Pix,
  recordsSchema,
  type SandboxCharge,
  type SandboxCobv,
  type SandboxDispute,
  type SandboxMovement,
  type SandboxNotice,
  type SandboxRefund,
  type Webhook,
} from './records.ts';

/**
 * The journal is compacted at a start if it has more than twice as many lines as the books have objects, plus this
 * slack, which keeps small journals from being rewritten at every start.
 */
const COMPACTION_SLACK = 10_000;

export interface BooksOptions extends JournalOptions {
  /** Replaces the machine's clock, in milliseconds, so that a test can set the time. */
  readonly machineNow?: (() => number) | undefined;
}

/**
 * The bank's entire state, in memory and in a journal from which the state is rebuilt. All changes go through `record`,
 * which resolves once the changes are on disk. Await `untilDurable` before a response that shows the state in memory.
 */
export class Books {
  readonly clock: VirtualClock;
  readonly charges = new Map<string, SandboxCharge>();
  /** The txids of the charges, oldest first, so that a list of a time window needs no sorting. */
  readonly chargeOrder: string[] = [];
  /** The charges with a due date, by txid; their txids oldest first. */
  readonly cobvs = new Map<string, SandboxCobv>();
  readonly cobvOrder: string[] = [];
  /** Batches of charges with a due date by id, oldest first, those still to be worked off, and the batch of a txid. */
  readonly cobvBatches = new Map<string, CobvBatch>();
  readonly pendingBatches = new Map<string, CobvBatch>();
  readonly batchIdByTxid = new Map<string, string>();
  readonly locations = new Map<number, Location>();
  readonly locationIdByToken = new Map<string, number>();
  readonly pix = new Map<string, Pix>();
  /** Received Pix, oldest first. */
  readonly pixOrder: Pix[] = [];
  readonly pixByTxid = new Map<string, Pix[]>();
  /** Refunds of a Pix, pending and finished, by its endToEndId, oldest first. */
  readonly refundsByPix = new Map<string, readonly SandboxRefund[]>();
  /** Refunds and payouts that continue at their `dueAt`. */
  readonly pending = new Map<string, SandboxRefund | Payout>();
  /** The payouts by idEnvio, oldest first. */
  readonly payouts = new Map<string, Payout>();
  readonly idEnvioByEndToEndId = new Map<string, string>();
  /** Totals of the account, in cents. Refunds and payouts count from the moment they are accepted, unless they fail. */
  readonly tallies = { received: 0, refunded: 0, sent: 0, cameBack: 0, moved: 0 };
  /** Money that entered or left other than by Pix, oldest first. */
  readonly movements: SandboxMovement[] = [];
  /** Disputes by id, oldest first. */
  readonly disputes = new Map<string, SandboxDispute>();
  /** Open disputes, by endToEndId. */
  readonly openDisputes = new Map<string, SandboxDispute>();
  readonly webhooks = new Map<string, Webhook>();
  /** Mandates and recurring charges. */
  readonly automatic = new AutomaticBooks();
  /** The notices that are neither delivered nor given up, by id. */
  readonly notices = new Map<string, SandboxNotice>();
  readonly noticeCounts = { delivered: 0, givenUp: 0 };
  behaviour: Behaviour = NORMAL_BEHAVIOUR;
  // Totals of the bank app's customer, the default payer: what they paid, what was added to their balance so that it
  // never runs out, and what was refunded to them.
  #payerPaidCents = 0;
  #payerToppedUpCents = 0;
  #payerReturnedCents = 0;
  /** The sum of the amounts of open disputes. */
  #disputedCents = 0;
  #nextLocationId = 1;
  readonly #ownsClock: boolean;
  #journal: Journal | undefined;

  private constructor(machineNow?: () => number, sharedClock?: VirtualClock) {
    this.#ownsClock = sharedClock === undefined;
    this.clock = sharedClock ?? new VirtualClock(machineNow);
  }

  /** With a `sharedClock`, the journal does not tell the time of the clock: the owner's journal does. */
  static async open(dataDir: string, options: BooksOptions = {}, sharedClock?: VirtualClock): Promise<Books> {
    await mkdir(dataDir, { recursive: true });
    const path = join(dataDir, 'journal.jsonl');
    const books = new Books(options.machineNow, sharedClock);
    let lineCount = 0;
    const replay = (value: unknown) => {
      lineCount += 1;
      for (const record of recordsSchema.parse(value)) books.#apply(record);
    };
    books.#journal = await Journal.open(path, replay, options);
    const { charges, cobvs, cobvBatches, pix, locations, refundsByPix, payouts, movements, disputes } = books;
    const collections = [charges, cobvs, cobvBatches, pix, locations, refundsByPix, payouts, disputes];
    const objectCount = collections.reduce(
      (sum, { size }) => sum + size,
      movements.length + books.automatic.size,
    );
    if (lineCount > 2 * objectCount + COMPACTION_SLACK) {
      await books.#journal.close();
      await Journal.rewrite(path, books.#snapshot());
      books.#journal = await Journal.open(path, () => undefined, options);
    }
    return books;
  }

  /** Changes the books immediately, and resolves when the change is on disk. All records or none survive a crash. */
  record(...records: BookRecord[]): Promise<void> {
    for (const record of records) this.#apply(record);
    return this.#openJournal().append(records);
  }

  /** Whether the books contain nothing that has a time. Only then may the clock be set back. */
  get isEmpty(): boolean {
    const { charges, cobvs, cobvBatches, pix, locations, webhooks, movements } = this;
    return (
      [charges, cobvs, cobvBatches, pix, locations, webhooks].every(({ size }) => size === 0) &&
      movements.length === 0 &&
      this.automatic.size === 0
    );
  }

  /** The account's balance, in cents. */
  get balanceCents(): number {
    const { received, refunded, sent, cameBack, moved } = this.tallies;
    return received - refunded - sent + cameBack + moved;
  }

  /** The amount that may leave the account, in cents. */
  get availableCents(): number {
    return this.balanceCents - this.blockedCents;
  }

  /** The amount blocked by open disputes, in cents; never more than the balance. */
  get blockedCents(): number {
    return Math.min(this.#disputedCents, this.balanceCents);
  }

  /** By how much this account's payments changed the balance of the bank app's customer, with top-ups, in cents. */
  get payerChangeCents(): number {
    return this.#payerToppedUpCents - this.#payerPaidCents + this.#payerReturnedCents;
  }

  /** Resolves once the state in memory is on disk. */
  untilDurable(): Promise<void> {
    return this.#openJournal().untilDurable();
  }

  close(): Promise<void> {
    return this.#openJournal().close();
  }

  /** Returns an unused location id. */
  takeLocationId(): number {
    return this.#nextLocationId++;
  }

  #openJournal(): Journal {
    if (this.#journal === undefined) throw new Error('The books are not open');
    return this.#journal;
  }

  #apply(record: BookRecord): void {
    switch (record.t) {
      case 'charge':
        this.#applyCharge(record.charge);
        return;
      case 'cobv':
        this.#applyCobv(record.cobv);
        return;
      case 'cobv-batch':
        this.#applyCobvBatch(record.batch);
        return;
      case 'rec':
      case 'solicrec':
      case 'cobr':
      case 'rec-location':
      case 'automatic-webhook':
        this.clock.ensureNotBefore(this.automatic.apply(record));
        return;
      case 'location':
        this.#applyLocation(record.location);
        return;
      case 'pix':
        this.#applyPix(record);
        return;
      case 'refund':
        this.#applyRefund(record.refund);
        return;
      case 'payout':
        this.#applyPayout(record.payout);
        return;
      case 'movement':
        this.#applyMovement(record.movement);
        return;
      case 'dispute':
        this.#applyDispute(record.dispute);
        return;
      case 'webhook':
        if (record.webhook === null) this.webhooks.delete(record.key);
        else this.webhooks.set(record.key, record.webhook);
        return;
      case 'notice':
        this.notices.set(record.notice.id, record.notice);
        return;
      case 'notice-closed':
        this.notices.delete(record.id);
        this.noticeCounts[record.delivered ? 'delivered' : 'givenUp'] += 1;
        return;
      case 'behaviour':
        this.behaviour = record.behaviour;
        return;
      case 'clock':
        this.clock.offsetMs = record.offsetMs;
        return;
    }
  }

  #applyCharge(charge: SandboxCharge): void {
    if (!this.charges.has(charge.txid)) this.chargeOrder.push(charge.txid);
    this.charges.set(charge.txid, charge);
    this.clock.ensureNotBefore(charge.createdAt);
  }

  #applyCobv(cobv: SandboxCobv): void {
    if (!this.cobvs.has(cobv.txid)) this.cobvOrder.push(cobv.txid);
    this.cobvs.set(cobv.txid, cobv);
    this.clock.ensureNotBefore(cobv.createdAt);
  }

  #applyCobvBatch(batch: CobvBatch): void {
    this.cobvBatches.set(batch.id, batch);
    if (batch.dueAt === undefined) this.pendingBatches.delete(batch.id);
    else this.pendingBatches.set(batch.id, batch);
    for (const { txid } of batch.items) this.batchIdByTxid.set(txid, batch.id);
    this.clock.ensureNotBefore(batch.createdAt);
  }

  #applyLocation(location: Location): void {
    this.locations.set(location.id, location);
    this.locationIdByToken.set(location.token, location.id);
    this.#nextLocationId = Math.max(this.#nextLocationId, location.id + 1);
  }

  #applyPix(record: Extract<BookRecord, { t: 'pix' }>): void {
    const { pix } = record;
    this.pix.set(pix.endToEndId, pix);
    this.pixOrder.push(pix);
    this.clock.ensureNotBefore(pix.at);
    this.tallies.received += pix.amountCents;
    this.#payerPaidCents += record.fromAppCents ?? 0;
    this.#payerToppedUpCents += record.topUpCents ?? 0;
    if (pix.txid === undefined) return;
    const pixOfCharge = this.pixByTxid.get(pix.txid);
    if (pixOfCharge === undefined) this.pixByTxid.set(pix.txid, [pix]);
    else pixOfCharge.push(pix);
    const charge = this.charges.get(pix.txid);
    if (charge?.status === 'ATIVA' && charge.key === pix.key) charge.status = 'CONCLUIDA';
    const cobv = pix.parts === undefined ? undefined : this.cobvs.get(pix.txid);
    if (cobv?.status === 'ATIVA' && cobv.key === pix.key) cobv.status = 'CONCLUIDA';
  }

  #applyRefund(refund: SandboxRefund): void {
    const { endToEndId, id, amountCents } = refund;
    const refundsOfPix = this.refundsByPix.get(endToEndId) ?? [];
    const index = refundsOfPix.findIndex((refundOfPix) => refundOfPix.id === id);
    const previous = refundsOfPix[index];
    this.refundsByPix.set(
      endToEndId,
      previous === undefined ? [...refundsOfPix, refund] : refundsOfPix.with(index, refund),
    );
    this.tallies.refunded += refundedCents(refund) - refundedCents(previous);
    const payer = this.pix.get(endToEndId)?.payer;
    if (refund.status === 'DEVOLVIDO' && previous?.status !== 'DEVOLVIDO' && payer && isAppCustomer(payer)) {
      this.#payerReturnedCents += amountCents;
    }
    this.#trackPending(`refund ${endToEndId} ${id}`, refund);
    this.clock.ensureNotBefore(refund.settledAt ?? refund.at);
  }

  #applyPayout(payout: Payout): void {
    const previous = this.payouts.get(payout.idEnvio);
    this.payouts.set(payout.idEnvio, payout);
    this.idEnvioByEndToEndId.set(payout.endToEndId, payout.idEnvio);
    this.tallies.sent += sentCents(payout) - sentCents(previous);
    this.tallies.cameBack += cameBackCents(payout) - cameBackCents(previous);
    this.#trackPending(`payout ${payout.idEnvio}`, payout);
    this.clock.ensureNotBefore(payout.cameBack?.at ?? payout.settledAt ?? payout.at);
  }

  #applyMovement(movement: SandboxMovement): void {
    this.movements.push(movement);
    this.tallies.moved += movement.kind === 'deposit' ? movement.amountCents : -movement.amountCents;
    this.clock.ensureNotBefore(movement.at);
  }

  #applyDispute(dispute: SandboxDispute): void {
    const { endToEndId } = dispute;
    // A Pix has at most one open dispute, so the total loses the amount that was open before and gains the one open
    // now.
    this.#disputedCents -= this.openDisputes.get(endToEndId)?.amountCents ?? 0;
    this.disputes.set(dispute.id, dispute);
    if (dispute.closedAt === undefined) this.openDisputes.set(endToEndId, dispute);
    else this.openDisputes.delete(endToEndId);
    this.#disputedCents += this.openDisputes.get(endToEndId)?.amountCents ?? 0;
    this.clock.ensureNotBefore(dispute.changedAt);
  }

  /** Keeps a refund or payout in `pending` for as long as it has a due time. */
  #trackPending(name: string, operation: SandboxRefund | Payout): void {
    if (operation.dueAt === undefined) this.pending.delete(name);
    else this.pending.set(name, operation);
  }

  /** Yields the records of the shortest journal that rebuilds the books. */
  *#snapshot(): Generator<BookRecord[]> {
    if (this.#ownsClock) yield [{ t: 'clock', offsetMs: this.clock.offsetMs }];
    yield [{ t: 'behaviour', behaviour: this.behaviour }];
    for (const location of this.locations.values()) yield [{ t: 'location', location }];
    for (const txid of this.chargeOrder) {
      const charge = this.charges.get(txid);
      if (charge !== undefined) yield [{ t: 'charge', charge }];
    }
    for (const txid of this.cobvOrder) {
      const cobv = this.cobvs.get(txid);
      if (cobv !== undefined) yield [{ t: 'cobv', cobv }];
    }
    for (const batch of this.cobvBatches.values()) yield [{ t: 'cobv-batch', batch }];
    yield* this.automatic.snapshot();
    // The books keep only the totals of the app's customer, not the part of each Pix. So the first Pix gets the totals,
    // and the others get zero.
    let fromAppCents = this.#payerPaidCents;
    let topUpCents = this.#payerToppedUpCents;
    for (const pix of this.pixOrder) {
      yield [{ t: 'pix', pix, fromAppCents, topUpCents }];
      fromAppCents = 0;
      topUpCents = 0;
    }
    for (const refunds of this.refundsByPix.values()) {
      for (const refund of refunds) yield [{ t: 'refund', refund }];
    }
    for (const payout of this.payouts.values()) yield [{ t: 'payout', payout }];
    for (const movement of this.movements) yield [{ t: 'movement', movement }];
    for (const dispute of this.disputes.values()) yield [{ t: 'dispute', dispute }];
    for (const [key, webhook] of this.webhooks) yield [{ t: 'webhook', key, webhook }];
    for (const notice of this.notices.values()) yield [{ t: 'notice', notice }];
  }
}

/** The amount that a refund has debited from the account so far, in cents. */
export function refundedCents(refund: SandboxRefund | undefined): number {
  return refund === undefined || refund.status === 'NAO_REALIZADO' ? 0 : refund.amountCents;
}

function sentCents(payout: Payout | undefined): number {
  return payout === undefined || payout.status === 'NAO_REALIZADO' ? 0 : payout.amountCents;
}

function cameBackCents(payout: Payout | undefined): number {
  return payout?.cameBack === undefined ? 0 : payout.amountCents;
}
