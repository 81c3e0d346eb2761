import { isCnpj, isCpf } from '@jangada/pix';
import type { Location, Terms } from '../records.ts';
import { invalidOperation } from './charge-operation.ts';

interface CommonRequest {
  readonly solicitacaoPagador?: string | undefined;
  readonly infoAdicionais?: { nome: string; valor: string }[] | undefined;
}

/** Reads what the payer of any charge is shown. */
export function readPayerTexts({
  solicitacaoPagador,
  infoAdicionais,
}: CommonRequest): Pick<Terms, 'payerRequest' | 'additionalInfo'> {
  return {
    ...(solicitacaoPagador !== undefined && { payerRequest: solicitacaoPagador }),
    ...(infoAdicionais !== undefined && { additionalInfo: infoAdicionais }),
  };
}

/** Reads the terms that have the same form in the request for a new charge and in the request to change one. */
export function readCommonTerms(
  request: CommonRequest & { readonly devedor?: Terms['debtor'] },
): Partial<Terms> {
  return { ...(request.devedor !== undefined && { debtor: request.devedor }), ...readPayerTexts(request) };
}

/** Refuses a charge with another key than the account's, the only one that it has. */
export function requireOwnKey(kind: Location['kind'], key: string, ownKey: string): void {
  if (key === ownKey) return;
  throw invalidOperation(kind, [
    {
      razao: `O campo ${kind}.chave corresponde a uma conta que não pertence a este usuário recebedor.`,
      propriedade: `${kind}.chave`,
      valor: key,
    },
  ]);
}

/** Whether a text is a valid CPF without punctuation. */
export function isBareCpf(text: string): boolean {
  return text.length === 11 && isCpf(text);
}

/** Whether a text is a valid CNPJ without punctuation. */
export function isBareCnpj(text: string): boolean {
  return text.length === 14 && isCnpj(text);
}
