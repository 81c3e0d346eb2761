import { z } from 'zod';
import { DEFAULT_PAYER } from '../account.ts';
import type { Accounts } from '../accounts.ts';
import { makePayment } from '../make-payment.ts';
import { SandboxRefusal } from '../refusal.ts';
import type { SandboxRec } from './automatic-records.ts';
import { approveRec } from './end-rec.ts';
import { readMaximum } from './payer-maximum.ts';
import { readMandateCode } from './read-mandate-code.ts';

const requestSchema = z.strictObject({
  brCode: z.string().max(21_000),
  /** The payer's maximum for one charge, in BRL. */
  maximum: z.number().optional(),
  payer: z.object({ name: z.string().min(1), document: z.string() }).optional(),
  /** Whether a charge that is due is paid too, before its mandate is approved (journey 4). */
  pay: z.boolean().default(true),
});

/**
 * Approves what a code asks for in the payer's name: a mandate alone (journey 2), with the payment that approves it
 * (journey 3), or after the payment of a charge that is due (journey 4). Throws `SandboxRefusal`.
 */
export async function authoriseByCode(accounts: Accounts, body: unknown): Promise<SandboxRec> {
  const { data } = requestSchema.safeParse(body);
  if (data === undefined) throw new SandboxRefusal('INVALID_REQUEST', 'O pedido não pode ser lido.');
  const { brCode, maximum, payer = DEFAULT_PAYER, pay } = data;
  const mandate = readMandateCode(accounts, brCode);
  if (mandate === undefined)
    throw new SandboxRefusal('UNSUPPORTED_CODE', 'Este código não pede uma autorização.');
  const { bank, rec, journey } = mandate;
  requireApprovable(rec);
  const maxCents = readMaximum(rec, maximum);
  const payment = { brCode, ...(data.payer !== undefined && { payer: data.payer }) };
  // In journey 3 it is the payment that approves the mandate.
  if (journey === 'JORNADA_3') await makePayment(accounts, payment, maxCents);
  else {
    if (journey === 'JORNADA_4' && pay) await makePayment(accounts, payment);
    const approver = { ...payer, ispb: bank.account.ispb, ...(maxCents !== undefined && { maxCents }) };
    // The mandate may have changed while the payment was written to disk.
    const current = bank.books.automatic.recs.get(rec.idRec) ?? rec;
    requireApprovable(current);
    const { records, subjects } = approveRec(current, journey, approver, bank.books.clock.now());
    await bank.notifier.recordAndNotify(records, subjects);
  }
  return bank.books.automatic.recs.get(rec.idRec) ?? rec;
}

/** Refuses a mandate that is approved already, or that has ended. */
export function requireApprovable({ status }: SandboxRec): void {
  if (status === 'CRIADA') return;
  throw new SandboxRefusal(
    'MANDATE_ENDED',
    status === 'APROVADA' ? 'Você já autorizou estes pagamentos.' : 'Esta autorização não vale mais.',
  );
}
