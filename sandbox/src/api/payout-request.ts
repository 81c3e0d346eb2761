import { isCanonicalPixKey, isCnpj, isCpf, pixAmountToCents } from '@jangada/pix';
import { z } from 'zod';
import { DEFAULT_PAYEE } from '../account.ts';
import type { Bank } from '../bank.ts';
import { SPECIAL_PAYEE_KEYS } from '../behaviour.ts';
import type { Payout } from '../records.ts';
import { EfiError } from '../refusal.ts';

const amountFormatError = 'O campo valor tem a forma 12.34.';

const bodySchema = z.object({
  valor: z
    .string({ error: amountFormatError })
    .regex(/^\d{1,10}\.\d{2}$/, { error: amountFormatError })
    .refine((text) => /[1-9]/.test(text), { error: 'O campo valor deve ser maior que zero.' }),
  pagador: z.object(
    {
      chave: z.string({ error: 'O campo pagador.chave é obrigatório.' }),
      infoPagador: z
        .string()
        .max(140, { error: 'O campo pagador.infoPagador tem no máximo 140 letras.' })
        .optional(),
    },
    { error: 'O objeto pagador é obrigatório.' },
  ),
  favorecido: z
    .object(
      {
        chave: z
          .string({ error: 'O campo favorecido.chave é obrigatório.' })
          .refine(isCanonicalPixKey, { error: 'O campo favorecido.chave não é uma chave Pix.' }),
        cpf: z
          .string()
          .refine((text) => text.length === 11 && isCpf(text), {
            error: 'O CPF em favorecido.cpf é inválido.',
          })
          .optional(),
        cnpj: z
          .string()
          .refine((text) => text.length === 14 && isCnpj(text), {
            error: 'O CNPJ em favorecido.cnpj é inválido.',
          })
          .optional(),
      },
      { error: 'O objeto favorecido é obrigatório.' },
    )
    .refine(({ cpf, cnpj }) => cpf === undefined || cnpj === undefined, {
      error: 'Os campos favorecido.cpf e favorecido.cnpj não vêm juntos.',
    }),
});

/** The content of a validated request for a payout. */
export type PayoutRequest = Pick<Payout, 'idEnvio' | 'amountCents' | 'message' | 'payee'>;

/** Reads a request for a payout to a Pix key, in Efí's format. Throws `EfiError` with the first violation. */
export function readPayoutRequest(idEnvio: string, body: unknown, bank: Bank): PayoutRequest {
  if (!/^[\dA-Za-z]{1,35}$/.test(idEnvio)) throw invalidValue('O idEnvio tem de 1 a 35 letras e dígitos.');
  const { data, error } = bodySchema.safeParse(body);
  if (data === undefined) throw invalidValue(error.issues[0]?.message ?? 'A requisição é inválida.');
  const { pagador, favorecido } = data;
  if (pagador.chave !== bank.account.key) {
    throw new EfiError('chave_invalida', 'A chave informada não faz referência à conta autenticada.');
  }
  if (favorecido.chave === bank.account.key)
    throw invalidValue('O pagador e o favorecido são a mesma conta.');
  return {
    idEnvio,
    amountCents: pixAmountToCents(data.valor),
    payee: findPayee(bank, favorecido.chave, favorecido.cpf ?? favorecido.cnpj),
    ...(pagador.infoPagador !== undefined && { message: pagador.infoPagador }),
  };
}

/**
 * Returns the holder of the payee's key. The sandbox has no directory of keys (DICT), so every key exists and belongs
 * to the document that the request names. The exceptions are the keys of this bank's own accounts, a key that is itself
 * a document, and the special keys.
 */
function findPayee(bank: Bank, key: string, expectedDocument: string | undefined): Payout['payee'] {
  const effect = SPECIAL_PAYEE_KEYS.find((special) => special.key === key)?.effect;
  if (effect === 'key-not-found') {
    throw new EfiError('chave_favorecido_nao_encontrada', 'A chave do favorecido não foi encontrada.');
  }
  const account = bank.accountOfKey(key)?.account;
  const otherDocument = isCpf(key) || isCnpj(key) ? key : (expectedDocument ?? DEFAULT_PAYEE.document);
  const document = account?.document ?? otherDocument;
  if (expectedDocument !== undefined && (expectedDocument !== document || effect === 'key-of-another')) {
    throw new EfiError(
      'chave_nao_pertence_ao_documento',
      'O documento do favorecido é diferente do documento em posse da chave.',
    );
  }
  return { key, name: account?.name ?? DEFAULT_PAYEE.name, document };
}

function invalidValue(mensagem: string): EfiError {
  return new EfiError('valor_invalido', mensagem);
}
