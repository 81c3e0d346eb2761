import { Agent, request } from 'undici';
import type { AutomaticWebhookKind } from './automatic/automatic-records.ts';
import { type Behaviour, SPECIAL_LATE_SECONDS, type SpecialEffect } from './behaviour.ts';
import type { Books } from './books.ts';
import { LONGEST_TIMER_MS } from './clock.ts';
import { formatPix } from './pix.ts';
import type { BookRecord, SandboxNotice, Webhook } from './records.ts';

/** The retries of the bank Efí: 10 attempts in all, the second after 5 minutes, each later wait doubled. */
export const DEFAULT_RETRY_SECONDS: readonly number[] = Array.from(
  { length: 9 },
  (_, index) => 300 * 2 ** index,
);

/** While the bank notifies out of order, the notices of each window of this length are sent newest first. */
const OUT_OF_ORDER_WINDOW_MS = 1000;

export interface NotifierOptions {
  /** The wait after each failed attempt. A notice is given up when the attempt after the last wait fails. */
  readonly retrySeconds?: readonly number[];
  readonly timeoutMs?: number;
  /** The maximum number of concurrent calls. */
  readonly connections?: number;
  /** The bank's own certificate, for receivers that demand one, and the authorities that the bank trusts. PEM. */
  readonly tls?: { cert?: string; key?: string; ca?: string };
}

/**
 * Something of which the webhook of a key is to be notified: a received Pix, a refund, a payout or a dispute. With a
 * `channel` it is a mandate or a recurring charge, for which the account has a webhook without a key.
 */
export interface Subject {
  /** Unique among all subjects. */
  readonly id: string;
  readonly endToEndId: string;
  readonly key: string;
  readonly at: number;
  /** The item to send. By default the received Pix with the endToEndId is sent. */
  readonly item?: Record<string, unknown>;
  readonly channel?: AutomaticWebhookKind;
}

/** What each webhook is called with: the end of its URL, and the name of the list of items. */
const CALLS = {
  pix: { path: '/pix', list: 'pix' },
  rec: { path: '/rec', list: 'recs' },
  cobr: { path: '/cobr', list: 'cobsr' },
} as const;

/** How a notice is sent: normally, or with a misbehaviour that tests the receiver. */
type NotificationMode = 'normal' | 'duplicated' | 'out-of-order' | 'never' | { lateSeconds: number };

/**
 * Calls the webhooks. A notice is one item to send; one call of a webhook carries one or several notices. Notices are
 * kept in the books until they are delivered or given up, so they survive a restart.
 */
export class Notifier {
  readonly #books: Books;
  readonly #retrySeconds: readonly number[];
  readonly #timeoutMs: number;
  readonly #maxConnections: number;
  readonly #agent: Agent;
  readonly #abort = new AbortController();
  /** Notices that are due later. */
  readonly #waiting = new Map<string, SandboxNotice>();
  /** Notices that are due, and are sent as soon as a connection is free. */
  readonly #ready: SandboxNotice[] = [];
  /** When the first waiting notice is due. */
  #nextDueAt = Number.POSITIVE_INFINITY;
  #runningCallCount = 0;
  /** Called when the last running call ends. Set only while `stop` waits for its end. */
  #onIdle: (() => void) | undefined;
  /** Wakes the notifier when the next waiting notice is due. */
  #timer: NodeJS.Timeout | undefined;
  /** Wakes the notifier at the end of this turn of the event loop. */
  #immediate: NodeJS.Immediate | undefined;

  constructor(books: Books, options: NotifierOptions) {
    this.#books = books;
    this.#retrySeconds = options.retrySeconds ?? DEFAULT_RETRY_SECONDS;
    this.#timeoutMs = options.timeoutMs ?? 60_000;
    this.#maxConnections = options.connections ?? 32;
    this.#agent = new Agent({
      connections: this.#maxConnections,
      ...(options.tls && { connect: options.tls }),
    });
  }

  /** Records changes of the books together with their notices, and sends the notices once everything is on disk. */
  async recordAndNotify(
    records: BookRecord[],
    subjects: readonly Subject[],
    effect?: SpecialEffect,
  ): Promise<void> {
    const notices = subjects.flatMap((subject) => this.#planNotices(subject, effect));
    await this.#books.record(...records, ...notices.map((notice): BookRecord => ({ t: 'notice', notice })));
    if (notices.length > 0) this.schedule(notices);
  }

  /** Sends notices that are on disk, as soon as each is due. */
  schedule(notices: Iterable<SandboxNotice>): void {
    const now = this.#books.clock.now();
    for (const notice of notices) {
      // Notices to be reversed always wait: their second may be over before they are on disk, and without the wait they
      // would be sent at once, in their normal order.
      if (notice.dueAt <= now && !notice.reversed) this.#ready.push(notice);
      else this.#addWaiting(notice);
    }
    // The calls start one turn of the event loop later. If `batchSize` is above 1, payments that reached the disk
    // together can then share a call.
    this.#immediate ??= setImmediate(() => this.wake());
  }

  /** Sends the notices that are due. Call it after the bank's time was moved. */
  wake(): void {
    clearImmediate(this.#immediate);
    clearTimeout(this.#timer);
    this.#immediate = undefined;
    if (this.#abort.signal.aborted) return;
    const now = this.#books.clock.now();
    if (now >= this.#nextDueAt) this.#collectDue(now);
    if (this.#waiting.size > 0) {
      this.#timer = setTimeout(() => this.wake(), Math.min(this.#nextDueAt - now, LONGEST_TIMER_MS)).unref();
    }
    this.#startCalls();
  }

  /** Aborts the running calls and waits for their end. Undelivered notices stay in the books. */
  async stop(): Promise<void> {
    this.#abort.abort();
    clearTimeout(this.#timer);
    if (this.#runningCallCount > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    await this.#agent.destroy();
  }

  /** Returns the notices for a subject: one, two or none, as the behaviour demands. */
  #planNotices({ id, endToEndId, key, at, item, channel }: Subject, effect?: SpecialEffect): SandboxNotice[] {
    if (this.#webhookOf(key, channel) === undefined) return [];
    const mode = chooseMode(this.#books.behaviour, effect);
    const notice = {
      id,
      endToEndId,
      dueAt: at,
      attempts: 0,
      ...(item !== undefined && { told: { key, item, ...(channel !== undefined && { channel }) } }),
    };
    if (mode === 'never') return [];
    if (mode === 'normal') return [notice];
    if (mode === 'duplicated') return [notice, { ...notice, id: `${notice.id}-2` }];
    if (mode === 'out-of-order') {
      const dueAt = (Math.floor(at / OUT_OF_ORDER_WINDOW_MS) + 1) * OUT_OF_ORDER_WINDOW_MS;
      return [{ ...notice, dueAt, reversed: true }];
    }
    return [{ ...notice, dueAt: at + mode.lateSeconds * 1000 }];
  }

  #addWaiting(notice: SandboxNotice): void {
    this.#waiting.set(notice.id, notice);
    this.#nextDueAt = Math.min(this.#nextDueAt, notice.dueAt);
  }

  /** Moves the due notices to the ready ones. Notices with `reversed` come first, newest first. */
  #collectDue(now: number): void {
    const waiting = [...this.#waiting.values()];
    const due = waiting.filter((notice) => notice.dueAt <= now);
    this.#waiting.clear();
    this.#nextDueAt = Number.POSITIVE_INFINITY;
    for (const notice of waiting) if (notice.dueAt > now) this.#addWaiting(notice);
    const reversed = due.filter((notice) => notice.reversed).reverse();
    for (const notice of [...reversed, ...due.filter(({ reversed }) => !reversed)]) this.#ready.push(notice);
  }

  #startCalls(): void {
    while (this.#runningCallCount < this.#maxConnections && !this.#abort.signal.aborted) {
      const batch = this.#takeBatch();
      if (batch.length === 0) break;
      this.#runningCallCount += 1;
      void this.#deliver(batch).finally(() => {
        this.#runningCallCount -= 1;
        if (this.#runningCallCount === 0) this.#onIdle?.();
        this.#startCalls();
      });
    }
  }

  /** Takes the next notices of one call. The account has a single key, so only their channels can differ. */
  #takeBatch(): SandboxNotice[] {
    const channel = this.#ready[0]?.told?.channel;
    const other = this.#ready.findIndex(({ told }) => told?.channel !== channel);
    const count = other === -1 ? this.#ready.length : other;
    return this.#ready.splice(0, Math.min(count, this.#books.behaviour.batchSize));
  }

  #webhookOf(key: string, channel: AutomaticWebhookKind | undefined): Webhook | undefined {
    return channel === undefined
      ? this.#books.webhooks.get(key)
      : this.#books.automatic.webhooks.get(channel);
  }

  async #deliver(notices: SandboxNotice[]): Promise<void> {
    const payloads = notices.flatMap((notice) => this.#payloadOf(notice) ?? []);
    const { key = '', channel } = payloads[0] ?? {};
    const webhook = this.#webhookOf(key, channel);
    const items = payloads.map(({ item }) => item);
    const delivered = webhook !== undefined && (await this.#call(webhook.url, channel ?? 'pix', items));
    if (this.#abort.signal.aborted && !delivered) return;
    for (const notice of notices) this.#closeOrRetry(notice, delivered, webhook !== undefined);
  }

  #payloadOf({ told, endToEndId }: SandboxNotice): SandboxNotice['told'] {
    if (told !== undefined) return told;
    const pix = this.#books.pix.get(endToEndId);
    return pix && { key: pix.key, item: formatPix(this.#books, pix) };
  }

  async #call(webhookUrl: string, channel: keyof typeof CALLS, items: object[]): Promise<boolean> {
    const { path, list } = CALLS[channel];
    try {
      const { statusCode, body } = await request(callbackUrl(webhookUrl, path), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ [list]: items }),
        dispatcher: this.#agent,
        signal: this.#abort.signal,
        headersTimeout: this.#timeoutMs,
        bodyTimeout: this.#timeoutMs,
      });
      await body.dump();
      return statusCode >= 200 && statusCode < 300;
    } catch {
      // A refused or reset connection, a timeout or a TLS error: in every case the receiver may not have been notified.
      return false;
    }
  }

  #closeOrRetry(notice: SandboxNotice, delivered: boolean, mayRetry: boolean): void {
    const waitSeconds = this.#retrySeconds[notice.attempts];
    if (delivered || !mayRetry || waitSeconds === undefined) {
      this.#recordOutcome({ t: 'notice-closed', id: notice.id, delivered });
      return;
    }
    const retry: SandboxNotice = {
      ...notice,
      attempts: notice.attempts + 1,
      dueAt: this.#books.clock.now() + waitSeconds * 1000,
      reversed: false,
    };
    this.#recordOutcome({ t: 'notice', notice: retry });
    this.schedule([retry]);
  }

  /** Records the outcome without waiting: if a crash loses the record, the receiver is only notified once more. */
  #recordOutcome(record: BookRecord): void {
    this.#books.record(record).catch(() => undefined);
  }
}

/**
 * BACEN's rule is to call `{webhookUrl}/pix`, or `/rec` and `/cobr` for Pix Automático. The path is appended as text, even to a query: Efí advises its clients to
 * end their URL in `?hmac=...&ignore=`, whose last parameter then takes up the `/pix`.
 */
function callbackUrl(webhookUrl: string, path: string): string {
  const base = webhookUrl.includes('?') ? webhookUrl : webhookUrl.replace(/\/$/, '');
  return base + path;
}

function chooseMode(behaviour: Behaviour, effect: SpecialEffect | undefined): NotificationMode {
  const { notifications, lateSeconds } = behaviour;
  if (effect === 'notification-never') return 'never';
  if (effect === 'notification-duplicated') return 'duplicated';
  if (effect === 'notification-late') return { lateSeconds: SPECIAL_LATE_SECONDS };
  return notifications === 'late' ? { lateSeconds } : notifications;
}
