import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Accounts } from '../accounts.ts';
import type { Bank } from '../bank.ts';
import { formatMoment } from '../clock.ts';
import { SandboxRefusal } from '../refusal.ts';
import { answerPush } from './answer-push.ts';
import { authoriseByCode } from './authorise-by-code.ts';
import type { SandboxCobr, SandboxRec } from './automatic-records.ts';
import { cancelCobr, cobrSubject, hasCobrEnded } from './cobr.ts';
import { cancellationEnds } from './cobr-calendar.ts';
import {
  COBR_CANCELLATION_CODES,
  cancellationText,
  REC_CANCELLATION_CODES,
  REJECTION_CODES,
} from './cobr-codes.ts';
import { cancelRec } from './end-rec.ts';
import { readMaximum } from './payer-maximum.ts';
import { hasRecEnded } from './rec.ts';

const requester = z
  .enum(['PSP_PAGADOR', 'USUARIO_PAGADOR', 'PSP_RECEBEDOR', 'USUARIO_RECEBEDOR'])
  .default('USUARIO_PAGADOR');

const settingsSchema = z.strictObject({
  /** The payer's maximum for one charge, in BRL; `null` for none. */
  maximum: z.number().nullable().optional(),
  account: z.enum(['open', 'blocked', 'closed']).optional(),
  /** The funds from each hour of the day on, in BRL, such as none from 0 on and 100 from 18 on; `[]` for enough. */
  funds: z.array(z.strictObject({ fromHour: z.int().min(0).max(23), amount: z.number().min(0) })).optional(),
  /** A code with which the payer's bank rejects every order from now on; `null` to stop that. */
  rejects: z.enum(REJECTION_CODES).nullable().optional(),
});

const recCancellationSchema = z.strictObject({
  by: requester,
  code: z.enum(REC_CANCELLATION_CODES).default('SLDB'),
});

const cobrCancellationSchema = z.strictObject({
  by: requester,
  code: z.enum(COBR_CANCELLATION_CODES).default('SLBD'),
});

interface RecPath {
  Params: { idRec: string };
}

interface TxidPath {
  Params: { txid: string };
}

/**
 * Calls for tests and for the bank's app about Pix Automático, in the payer's name: read a code, answer a push, set a
 * maximum, cancel; and what the payer's bank does. What names a mandate or a charge finds its account by that.
 */
export function automaticRoutes(app: FastifyInstance, accounts: Accounts): void {
  app.post('/sandbox/recs', async (request, reply) =>
    reply.status(201).send(formatRecForTests(await authoriseByCode(accounts, request.body))),
  );
  app.get('/sandbox/recs', async () => {
    await accounts.untilDurable();
    return accounts.all.flatMap(({ books }) => [...books.automatic.recs.values()].map(formatRecForTests));
  });
  app.get<RecPath>('/sandbox/recs/:idRec', async (request) => {
    const { bank, rec } = findMandate(accounts, request.params.idRec);
    await bank.books.untilDurable();
    const charges = bank.books.automatic.cobrsOf(rec.idRec);
    return { ...formatRecForTests(rec), charges: charges.map(formatCobrForTests) };
  });
  app.post<RecPath>('/sandbox/recs/:idRec/answer', async (request) => {
    const { bank, rec } = findMandate(accounts, request.params.idRec);
    return formatRecForTests(await answerPush(bank, rec, request.body));
  });
  app.put<RecPath>('/sandbox/recs/:idRec/debits', async (request) => {
    const { bank, rec } = findMandate(accounts, request.params.idRec);
    const changed = changeSettings(rec, request.body);
    await bank.books.record({ t: 'rec', rec: changed });
    return formatRecForTests(changed);
  });
  app.post<RecPath>('/sandbox/recs/:idRec/cancellation', async (request) => {
    const { bank, rec } = findMandate(accounts, request.params.idRec);
    const { by, code } = parse(recCancellationSchema, request.body ?? {});
    if (hasRecEnded(rec)) throw new SandboxRefusal('MANDATE_ENDED', 'Esta autorização já terminou.');
    const { records, subjects } = cancelRec(bank, rec, by, code, bank.books.clock.now());
    await bank.notifier.recordAndNotify(records, subjects);
    return formatRecForTests(findMandate(accounts, rec.idRec).rec);
  });
  app.post<TxidPath>('/sandbox/cobrs/:txid/cancellation', async (request) => {
    const { bank, cobr } = findRecurringCharge(accounts, request.params.txid);
    const { by, code } = parse(cobrCancellationSchema, request.body ?? {});
    const now = bank.books.clock.now();
    const isTooLate = by === 'USUARIO_PAGADOR' && now >= cancellationEnds(cobr).payer;
    if (hasCobrEnded(cobr) || isTooLate)
      throw new SandboxRefusal('MANDATE_ENDED', 'Este débito não pode mais ser cancelado.');
    const cancelled = cancelCobr(cobr, now, { requester: by, code, text: cancellationText(code) });
    await bank.notifier.recordAndNotify(
      [{ t: 'cobr', cobr: cancelled }],
      [cobrSubject(bank, cancelled, now)],
    );
    return formatCobrForTests(cancelled);
  });
}

/** Returns a mandate and the account of its receiver. */
export function findMandate(accounts: Accounts, idRec: string): { bank: Bank; rec: SandboxRec } {
  const bank = accounts.all.find(({ books }) => books.automatic.recs.has(idRec));
  const rec = bank?.books.automatic.recs.get(idRec);
  if (bank === undefined || rec === undefined)
    throw new SandboxRefusal('NOT_FOUND', 'Esta autorização não existe.');
  return { bank, rec };
}

function findRecurringCharge(accounts: Accounts, txid: string): { bank: Bank; cobr: SandboxCobr } {
  const bank = accounts.all.find(({ books }) => books.automatic.cobrs.has(txid));
  const cobr = bank?.books.automatic.cobrs.get(txid);
  if (bank === undefined || cobr === undefined)
    throw new SandboxRefusal('NOT_FOUND', 'Este débito não existe.');
  return { bank, cobr };
}

function changeSettings(rec: SandboxRec, body: unknown): SandboxRec {
  const { maximum, account, funds, rejects } = parse(settingsSchema, body);
  const { rejects: oldRejects, ...debits } = rec.debits;
  const code = rejects === undefined ? oldRejects : (rejects ?? undefined);
  return {
    ...(maximum === undefined ? rec : withMaximum(rec, maximum ?? undefined)),
    debits: {
      account: account ?? debits.account,
      funds:
        funds === undefined
          ? debits.funds
          : funds
              .map(({ fromHour, amount }) => ({ fromHour, cents: Math.round(amount * 100) }))
              .sort((a, b) => a.fromHour - b.fromHour),
      ...(code !== undefined && { rejects: code }),
    },
  };
}

function withMaximum(rec: SandboxRec, maximum: number | undefined): SandboxRec {
  if (rec.payer === undefined || rec.status !== 'APROVADA')
    throw new SandboxRefusal('MANDATE_ENDED', 'Esta autorização não está ativa.');
  const { maxCents: _, ...payer } = rec.payer;
  const maxCents = readMaximum(rec, maximum);
  return { ...rec, payer: { ...payer, ...(maxCents !== undefined && { maxCents }) } };
}

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const { data, error } = schema.safeParse(body);
  if (error === undefined) return data;
  const fields = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  throw new SandboxRefusal('INVALID_REQUEST', `O pedido não pode ser lido: ${fields}`);
}

/** Formats a mandate for the sandbox's own calls, with amounts in BRL. */
function formatRecForTests({ idRec, status, journey, payer, debits, end, terms }: SandboxRec): object {
  return {
    idRec,
    status,
    contract: terms.contract,
    journey: journey ?? null,
    payer: payer === undefined ? null : { name: payer.name, document: payer.document },
    maximum: payer?.maxCents === undefined ? null : payer.maxCents / 100,
    account: debits.account,
    funds: debits.funds.map(({ fromHour, cents }) => ({ fromHour, amount: cents / 100 })),
    rejects: debits.rejects ?? null,
    ...(end !== undefined && { ended: { by: end.requester ?? null, code: end.code } }),
  };
}

function formatCobrForTests({ txid, status, amountCents, dueDate, attempts, dueAt }: SandboxCobr): object {
  return {
    txid,
    status,
    amount: amountCents / 100,
    dueDate,
    attempts: attempts.map(({ day, kind, status, rejection }) => ({
      ...{ day, kind, status },
      ...(rejection !== undefined && { code: rejection.code }),
    })),
    /** When the bank next does something about the charge, if nobody else does. */
    next: dueAt === undefined ? null : formatMoment(dueAt),
  };
}
