import type { TimelineEntry } from '@jangada/contract';
import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import {
  COUNTER_CODE,
  findCharge,
  formatBrl,
  PANEL,
  PAYMENT_LINK,
  READABLE_KEY,
  readPayers,
} from '../payments/index.ts';
import { Refusal } from '../refusal.ts';

type Entry = Omit<TimelineEntry, 'at'> & { readonly at: Date };
type Charge = NonNullable<Awaited<ReturnType<typeof findCharge>>>;

/** Limit per kind of entry. Only a receiver that rejects webhooks for days comes near it. */
const mostOfEach = 100;

/**
 * Everything that happened to a charge, oldest first: the call that created it, the bank, the ledger, each webhook
 * attempt, refunds and disputes. Refused with PAYMENT_NOT_FOUND.
 */
export async function readTimeline(db: Db, merchantId: number, id: string): Promise<TimelineEntry[]> {
  const charge = await findCharge(db, merchantId, id);
  if (charge === undefined) throw new Refusal('PAYMENT_NOT_FOUND');
  const parts = await Promise.all([
    ownStory(db, charge),
    payment(db, charge),
    webhooks(db, charge),
    refunds(db, charge),
    disputes(db, charge),
  ]);
  // The sort is stable: entries of the same moment stay in causal order.
  const entries = parts.flat().toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return entries.map((entry) => ({ ...entry, at: entry.at.toISOString() }));
}

const fact = (label: string, value: string | null | undefined) =>
  value === null || value === undefined || value === '' ? [] : [{ label, value }];

/** How it was created, and how it ended if it was not paid. */
async function ownStory(db: Db, charge: Charge): Promise<Entry[]> {
  const row = await db
    .selectFrom('charges')
    .leftJoin('scoped_keys', (join) =>
      join
        .onRef('scoped_keys.merchant_id', '=', 'charges.merchant_id')
        .on(sql`scoped_keys.id::text`, '=', sql`charges.made_with`),
    )
    .select(['request_id', 'made_with', 'scoped_keys.name as key_name', 'updated_at'])
    .where('charges.merchant_id', '=', charge.merchantId)
    .where('charges.id', '=', charge.id)
    .executeTakeFirstOrThrow();
  const facts = [
    ...fact('Valor', formatBrl(charge.amountCents)),
    ...fact('Feita', madeWith(row.made_with, row.key_name)),
    ...fact('requestId', row.request_id),
    ...fact('external_id', charge.externalId),
    ...fact('txid no banco', charge.txid),
    ...fact('Vence em', charge.expiresAt.toISOString()),
  ];
  const isOpen = charge.brCode !== '';
  const waited = isOpen ? 'Cobrança criada, e aceita pelo banco' : 'Cobrança pedida';
  const title = row.made_with === COUNTER_CODE ? 'Cobrança criada com o Pix que chegou' : waited;
  return [
    { at: charge.createdAt, kind: 'created', ok: true, title, facts },
    ...ending(charge, row.updated_at),
  ];
}

const makers = new Map([
  [PANEL, 'no painel'],
  [READABLE_KEY, 'pela API, com a chave da conta'],
  [PAYMENT_LINK, 'por quem paga, em um link de pagamento'],
  [COUNTER_CODE, 'do Pix que chegou por um QR Code de balcão'],
]);

function madeWith(what: string | null, keyName: string | null): string | null {
  return what === null ? null : (makers.get(what) ?? `pela API, com a chave ${keyName ?? what}`);
}

/** `at`: its last change, which is when it ended unless it was paid. */
function ending({ status, cancelledAt }: Charge, at: Date): Entry[] {
  if (cancelledAt !== null) {
    const title = 'Cancelada: o banco deixou de aceitar o código';
    return [{ at: cancelledAt, kind: 'cancelled', ok: true, title, facts: [] }];
  }
  if (status === 'expired')
    return [{ at, kind: 'expired', ok: true, title: 'Expirou sem pagamento', facts: [] }];
  return status === 'error'
    ? [{ at, kind: 'failed', ok: false, title: 'O banco não criou a cobrança', facts: [] }]
    : [];
}

const accounts = new Map([
  ['available', 'Ao saldo disponível'],
  ['fees', 'Tarifa'],
  ['reserved', 'À reserva'],
]);

async function payment(db: Db, charge: Charge): Promise<Entry[]> {
  const { endToEndId, paidAt, merchantId } = charge;
  if (endToEndId === null || paidAt === null) return [];
  const [payers, legs] = await Promise.all([
    readPayers(db, [endToEndId]),
    db
      .selectFrom('ledger_transfers')
      .select(['at', 'to_account', 'amount_cents'])
      .where('merchant_id', '=', merchantId)
      .where('reference', '=', endToEndId)
      .where('from_account', '=', 'psp')
      .where('event', 'in', ['payment received', 'unmatched assigned'])
      .execute(),
  ]);
  const payer = payers.get(endToEndId);
  const paid: Entry = {
    at: paidAt,
    kind: 'paid',
    ok: true,
    title: 'Paga no banco de quem pagou',
    facts: [
      ...fact('endToEndId', endToEndId),
      ...fact('Pagador', payer?.name),
      ...fact('Documento', payer?.document),
    ],
  };
  const at = legs[0]?.at;
  if (at === undefined) return [paid];
  const facts = legs.flatMap((leg) =>
    fact(accounts.get(leg.to_account) ?? leg.to_account, formatBrl(leg.amount_cents)),
  );
  // A payer's bank may have a different clock, but the payment cannot be later than its booking.
  const before = paidAt < at ? paid : { ...paid, at };
  return [
    before,
    { at, kind: 'credited', ok: true, title: 'Confirmada pelo banco e lançada no livro', facts },
  ];
}

async function webhooks(db: Db, charge: Charge): Promise<Entry[]> {
  const rows = await db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhook_attempts as attempt', (join) =>
      join
        .onRef('attempt.merchant_id', '=', 'delivery.merchant_id')
        .onRef('attempt.delivery_id', '=', 'delivery.id'),
    )
    .select(['type', 'url', 'number', 'at', 'duration_ms', 'status', 'error', 'delivery.id'])
    .where('delivery.merchant_id', '=', charge.merchantId)
    .where('delivery.subject_id', '=', charge.id)
    .orderBy('at')
    .limit(mostOfEach)
    .execute();
  return rows.map((row) => {
    const ok = row.status !== null && row.status >= 200 && row.status < 300;
    const answered = row.status === null ? (row.error ?? 'sem resposta') : `HTTP ${row.status}`;
    return {
      at: row.at,
      kind: 'webhook' as const,
      ok,
      title: `Webhook ${row.type} ${ok ? 'entregue' : 'não entregue'}, tentativa ${row.number}`,
      facts: [
        ...fact('Endereço', row.url),
        ...fact('Resposta', `${answered} em ${row.duration_ms} ms`),
        ...fact('Entrega', row.id),
      ],
    };
  });
}

async function refunds(db: Db, charge: Charge): Promise<Entry[]> {
  const rows = await db
    .selectFrom('refunds')
    .select(['id', 'caller_id', 'origin', 'status', 'amount_cents', 'reason', 'error'])
    .select(['created_at', 'updated_at', 'completed_at', 'rtr_id'])
    .where('merchant_id', '=', charge.merchantId)
    .where('charge_id', '=', charge.id)
    .orderBy('created_at')
    .limit(mostOfEach)
    .execute();
  return rows.flatMap((row) => {
    const amount = formatBrl(row.amount_cents);
    const byBank = row.origin === 'bank';
    const asked: Entry = {
      at: row.created_at,
      kind: 'refund',
      ok: true,
      title: byBank ? `O banco devolveu ${amount}` : `Estorno de ${amount} pedido`,
      facts: [...fact('Estorno', row.caller_id ?? row.id), ...fact('Motivo', row.reason)],
    };
    if (byBank || row.status === 'processing') return [asked];
    const ended: Entry =
      row.status === 'completed'
        ? {
            at: row.completed_at ?? row.updated_at,
            kind: 'refund',
            ok: true,
            title: `Estorno de ${amount} concluído`,
            facts: fact('rtrId', row.rtr_id),
          }
        : {
            at: row.updated_at,
            kind: 'refund',
            ok: false,
            title: `Estorno de ${amount} não feito`,
            facts: fact('Motivo', row.error),
          };
    return [asked, ended];
  });
}

const disputeEnds = new Map([
  ['won', 'Disputa ganha: o dinheiro ficou livre'],
  ['lost', 'Disputa perdida'],
  ['cancelled', 'Disputa cancelada por quem a abriu'],
]);

async function disputes(db: Db, charge: Charge): Promise<Entry[]> {
  if (charge.endToEndId === null) return [];
  const rows = await db
    .selectFrom('disputes')
    .select(['protocol', 'reason', 'status', 'disputed_cents', 'opened_at', 'resolved_at', 'defended_at'])
    .where('merchant_id', '=', charge.merchantId)
    .where('end_to_end_id', '=', charge.endToEndId)
    .orderBy('opened_at')
    .limit(mostOfEach)
    .execute();
  return rows.flatMap((row) => {
    const entry = (at: Date, title: string, ok: boolean): Entry => ({
      at,
      kind: 'dispute',
      ok,
      title,
      facts: fact('Protocolo', row.protocol),
    });
    return [
      entry(row.opened_at, `${formatBrl(row.disputed_cents)} contestados por quem pagou`, false),
      ...(row.defended_at === null ? [] : [entry(row.defended_at, 'Defesa enviada', true)]),
      ...(row.resolved_at === null
        ? []
        : [
            entry(row.resolved_at, disputeEnds.get(row.status) ?? 'Disputa encerrada', row.status !== 'lost'),
          ]),
    ];
  });
}
