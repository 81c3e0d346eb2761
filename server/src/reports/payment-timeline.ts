import type { TimelineEntry } from '@jangada/contract';
import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { readMakers } from '../identity/index.ts';
import {
  findCharge,
  formatBrl,
  MADE_WITH_COUNTER_CODE,
  MADE_WITH_DASHBOARD,
  MADE_WITH_PAYMENT_LINK,
  MADE_WITH_READABLE_KEY,
  readDues,
  readPayers,
} from '../payments/index.ts';
import { Refusal } from '../refusal.ts';
import { selectAttemptsOf } from '../webhooks/index.ts';

type Entry = Omit<TimelineEntry, 'at' | 'made_by'> & {
  readonly at: Date;
  /** The person who did it in the dashboard. */
  readonly madeBy?: number | null;
};
type Charge = NonNullable<Awaited<ReturnType<typeof findCharge>>>;

/**
 * The most entries of each kind that are read. Only the webhooks to a receiver that rejects them for days come near
 * this number.
 */
const maxPerKind = 100;

/**
 * Reads the events of a charge's life, oldest first: its creation, its payment at the bank, the booking in the ledger,
 * each webhook attempt, refunds and disputes. `namesMakers`: whether it names who did what in the dashboard, which only
 * people are told. Refused with PAYMENT_NOT_FOUND.
 */
export async function readTimeline(
  db: Db,
  { merchantId, id }: { readonly merchantId: number; readonly id: string },
  { namesMakers }: { readonly namesMakers: boolean },
): Promise<TimelineEntry[]> {
  const charge = await findCharge(db, merchantId, id);
  if (charge === undefined) throw new Refusal('PAYMENT_NOT_FOUND');
  const parts = await Promise.all([
    creationAndEnd(db, charge),
    paymentEntries(db, charge),
    webhookEntries(db, charge),
    refundEntries(db, charge),
    disputeEntries(db, charge),
  ]);
  // The sort is stable, so entries of the same time stay in the order of `parts`, which is that of cause and effect.
  const entries = parts.flat().toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const made = entries.map(({ madeBy = null }) => ({ merchantId, madeBy: namesMakers ? madeBy : null }));
  const makerOf = await readMakers(db, made);
  return entries.map(({ madeBy: _, ...entry }, index) => {
    const maker = makerOf(made[index] ?? { merchantId, madeBy: null });
    return { ...entry, at: entry.at.toISOString(), ...(maker !== null && { made_by: maker }) };
  });
}

/** A labelled detail of an entry, as a list to spread: it is empty if there is no value. */
const fact = (label: string, value: string | null | undefined) =>
  value === null || value === undefined || value === '' ? [] : [{ label, value }];

/** The charge's creation, and its end if it was not paid. */
async function creationAndEnd(db: Db, charge: Charge): Promise<Entry[]> {
  const row = await db
    .selectFrom('charges')
    .leftJoin('charge_options', (join) =>
      join
        .onRef('charge_options.merchant_id', '=', 'charges.merchant_id')
        .onRef('charge_options.charge_id', '=', 'charges.id'),
    )
    .leftJoin('scoped_keys', (join) =>
      join
        .onRef('scoped_keys.merchant_id', '=', 'charges.merchant_id')
        .on(sql`scoped_keys.id::text`, '=', sql`charges.made_with`),
    )
    .select(['request_id', 'made_with', 'scoped_keys.name as key_name', 'updated_at'])
    .select('charge_options.created_by')
    .where('charges.merchant_id', '=', charge.merchantId)
    .where('charges.id', '=', charge.id)
    .executeTakeFirstOrThrow();
  const due = (await readDues(db, charge.merchantId, [charge])).get(charge.id);
  const facts = [
    ...fact('Valor', formatBrl(due?.due.originalCents ?? charge.amountCents)),
    ...fact('Feita', originText(row.made_with, row.key_name)),
    ...fact('requestId', row.request_id),
    ...fact('external_id', charge.externalId),
    ...fact('txid no banco', charge.txid),
    ...fact('Vencimento', charge.dueDate),
    ...fact(due === undefined ? 'Vence em' : 'Pode ser paga até', charge.expiresAt.toISOString()),
  ];
  // The BR Code (the text that a payer scans or pastes) is stored when the bank accepts the charge.
  const isAcceptedByBank = charge.brCode !== '';
  const requestedTitle = isAcceptedByBank ? 'Cobrança criada, e aceita pelo banco' : 'Cobrança pedida';
  const title =
    row.made_with === MADE_WITH_COUNTER_CODE ? 'Cobrança criada com o Pix que chegou' : requestedTitle;
  return [
    { at: charge.createdAt, kind: 'created', ok: true, title, facts, madeBy: row.created_by },
    ...endEntries(charge, row.updated_at),
  ];
}

const originTexts = new Map([
  [MADE_WITH_DASHBOARD, 'no painel'],
  [MADE_WITH_READABLE_KEY, 'pela API, com a chave da conta'],
  [MADE_WITH_PAYMENT_LINK, 'por quem paga, em um link de pagamento'],
  [MADE_WITH_COUNTER_CODE, 'do Pix que chegou por um QR Code de balcão'],
]);

/** The text for the origin of a charge. `madeWith` is one of the constants above, or the id of an API key. */
function originText(madeWith: string | null, keyName: string | null): string | null {
  if (madeWith === null) return null;
  return originTexts.get(madeWith) ?? `pela API, com a chave ${keyName ?? madeWith}`;
}

/**
 * The end of a charge that was not paid. `updatedAt` is the time of its last change; an unpaid charge last changes when
 * it ends.
 */
function endEntries({ status, cancelledAt }: Charge, updatedAt: Date): Entry[] {
  if (cancelledAt !== null) {
    const title = 'Cancelada: o banco deixou de aceitar o código';
    return [{ at: cancelledAt, kind: 'cancelled', ok: true, title, facts: [] }];
  }
  if (status === 'expired')
    return [{ at: updatedAt, kind: 'expired', ok: true, title: 'Expirou sem pagamento', facts: [] }];
  if (status === 'error')
    return [{ at: updatedAt, kind: 'failed', ok: false, title: 'O banco não criou a cobrança', facts: [] }];
  return [];
}

/** The parts into which the booking divides a payment, by the columns of the ledger entry. */
const creditLabels = [
  ['available_cents', 'Ao saldo disponível'],
  ['fees_cents', 'Tarifa'],
  ['reserved_cents', 'À reserva'],
] as const;

/** The payment, and its booking in the ledger. */
async function paymentEntries(db: Db, charge: Charge): Promise<Entry[]> {
  const { endToEndId, paidAt, merchantId, connectionId } = charge;
  if (endToEndId === null || paidAt === null) return [];
  const [payers, ledgerEntry] = await Promise.all([
    readPayers(db, merchantId, [endToEndId]),
    db
      .selectFrom('ledger_entries')
      .select(['posted_at', 'available_cents', 'fees_cents', 'reserved_cents'])
      .where('merchant_id', '=', merchantId)
      .where('reference', '=', endToEndId)
      .where('connection_id', '=', connectionId)
      .where('event', 'in', ['payment received', 'unmatched assigned'])
      .executeTakeFirst(),
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
  if (ledgerEntry === undefined) return [paid];
  const bookedAt = ledgerEntry.posted_at;
  const facts = creditLabels.flatMap(([column, label]) =>
    ledgerEntry[column] === 0 ? [] : fact(label, formatBrl(ledgerEntry[column])),
  );
  // The clock of the payer's bank may be ahead of ours. A payment that seems later than its booking is shown with the
  // time of the booking.
  const paidEntryBeforeBooking = paidAt < bookedAt ? paid : { ...paid, at: bookedAt };
  return [
    paidEntryBeforeBooking,
    { at: bookedAt, kind: 'credited', ok: true, title: 'Confirmada pelo banco e lançada no livro', facts },
  ];
}

async function webhookEntries(db: Db, charge: Charge): Promise<Entry[]> {
  const rows = await selectAttemptsOf(db, charge.merchantId, charge.id, maxPerKind);
  return rows.map((row) => {
    const ok = row.status !== null && row.status >= 200 && row.status < 300;
    const responseText = row.status === null ? (row.error ?? 'sem resposta') : `HTTP ${row.status}`;
    return {
      at: row.at,
      kind: 'webhook' as const,
      ok,
      title: `Webhook ${row.type} ${ok ? 'entregue' : 'não entregue'}, tentativa ${row.number}`,
      facts: [
        ...fact('Endereço', row.url),
        ...fact('Resposta', `${responseText} em ${row.durationMs} ms`),
        ...fact('Entrega', row.id),
      ],
    };
  });
}

async function refundEntries(db: Db, charge: Charge): Promise<Entry[]> {
  const rows = await db
    .selectFrom('refunds')
    .select(['id', 'external_id', 'origin', 'status', 'amount_cents', 'reason', 'error'])
    .select(['created_at', 'updated_at', 'completed_at', 'rtr_id', 'requested_by'])
    .where('merchant_id', '=', charge.merchantId)
    .where('charge_id', '=', charge.id)
    .orderBy('created_at')
    .limit(maxPerKind)
    .execute();
  return rows.flatMap((row) => {
    const amount = formatBrl(row.amount_cents);
    const isByBank = row.origin === 'bank';
    const requested: Entry = {
      at: row.created_at,
      kind: 'refund',
      ok: true,
      title: isByBank ? `O banco devolveu ${amount}` : `Estorno de ${amount} pedido`,
      facts: [...fact('Estorno', row.external_id ?? row.id), ...fact('Motivo', row.reason)],
      madeBy: row.requested_by,
    };
    if (isByBank || row.status === 'processing') return [requested];
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
    return [requested, ended];
  });
}

const disputeEndTitles = new Map([
  ['won', 'Disputa ganha: o dinheiro ficou livre'],
  ['lost', 'Disputa perdida'],
  ['cancelled', 'Disputa cancelada por quem a abriu'],
]);

async function disputeEntries(db: Db, charge: Charge): Promise<Entry[]> {
  if (charge.endToEndId === null) return [];
  const rows = await db
    .selectFrom('disputes')
    .select(['protocol', 'reason', 'status', 'disputed_cents', 'opened_at', 'resolved_at', 'defended_at'])
    .where('merchant_id', '=', charge.merchantId)
    .where('connection_id', '=', charge.connectionId)
    .where('end_to_end_id', '=', charge.endToEndId)
    .orderBy('opened_at')
    .limit(maxPerKind)
    .execute();
  return rows.flatMap((row) => {
    const entryOf = (at: Date, title: string, ok: boolean): Entry => ({
      at,
      kind: 'dispute',
      ok,
      title,
      facts: fact('Protocolo', row.protocol),
    });
    const endTitle = disputeEndTitles.get(row.status) ?? 'Disputa encerrada';
    return [
      entryOf(row.opened_at, `${formatBrl(row.disputed_cents)} contestados por quem pagou`, false),
      ...(row.defended_at === null ? [] : [entryOf(row.defended_at, 'Defesa enviada', true)]),
      ...(row.resolved_at === null ? [] : [entryOf(row.resolved_at, endTitle, row.status !== 'lost')]),
    ];
  });
}
