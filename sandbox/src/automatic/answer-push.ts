import { z } from 'zod';
import { DEFAULT_PAYER } from '../account.ts';
import type { Bank } from '../bank.ts';
import { SandboxRefusal } from '../refusal.ts';
import { requireApprovable } from './authorise-by-code.ts';
import type { RecPayer, SandboxRec, SandboxSolicRec } from './automatic-records.ts';
import { approveRec } from './end-rec.ts';
import { readMaximum } from './payer-maximum.ts';
import { moveRec, recSubject } from './rec.ts';
import { isSolicRecOpen, moveSolicRec } from './solicrec.ts';

/** BACEN's codes with which a payer rejects a request. */
const REJECTIONS = {
  AP13: 'O pagador rejeitou a solicitação.',
  AP14: 'O pagador não reconhece quem recebe.',
} as const;

const answerSchema = z.strictObject({
  accepted: z.boolean(),
  /** The payer's maximum for one charge, in BRL. */
  maximum: z.number().optional(),
  code: z.enum(['AP13', 'AP14']).default('AP13'),
});

/** Accepts or rejects the open request for a mandate in its payer's name (journey 1). Throws `SandboxRefusal`. */
export async function answerPush(bank: Bank, rec: SandboxRec, body: unknown): Promise<SandboxRec> {
  const { data } = answerSchema.safeParse(body);
  if (data === undefined)
    throw new SandboxRefusal('INVALID_REQUEST', 'Diga em accepted (true ou false) se aceita.');
  const request = bank.books.automatic.solicRecsOf(rec.idRec).find(isSolicRecOpen);
  if (request === undefined) throw new SandboxRefusal('NOT_FOUND', 'Não há pedido a responder.');
  requireApprovable(rec);
  const at = bank.books.clock.now();
  const answered = moveSolicRec(request, data.accepted ? 'ACEITA' : 'REJEITADA', at);
  const maxCents = readMaximum(rec, data.maximum);
  const payer = { ...payerOf(rec, request), ...(maxCents !== undefined && { maxCents }) };
  const end = { code: data.code, text: REJECTIONS[data.code] };
  const answeredRec = data.accepted
    ? approveRec(rec, 'JORNADA_1', payer, at).rec
    : moveRec(rec, 'REJEITADA', at, end);
  await bank.notifier.recordAndNotify(
    [
      { t: 'solicrec', solicRec: answered },
      { t: 'rec', rec: answeredRec },
    ],
    [recSubject(answeredRec)],
  );
  return answeredRec;
}

/** The payer to whom a request went: the app's customer, or else the debtor's name with the request's document. */
function payerOf({ terms }: SandboxRec, { recipient }: SandboxSolicRec): RecPayer {
  const document = recipient.cpf ?? recipient.cnpj ?? '';
  const name = document === DEFAULT_PAYER.document ? DEFAULT_PAYER.name : terms.debtor.nome;
  return { name, document, ispb: recipient.ispbParticipante };
}
