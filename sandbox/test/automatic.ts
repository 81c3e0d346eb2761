import { expect } from 'vitest';
import { z } from 'zod';
import type { SandboxOptions } from '../src/index.ts';
import { type Client, givenBank } from './bank.ts';

/** A bank whose clock stands still unless it is moved. */
export type BankAt = Client & {
  /** Moves the clock to a later moment in São Paulo. */
  goTo(moment: string): Promise<void>;
};

/** Starts a bank whose clock shows this moment in São Paulo. */
export async function givenBankAt(moment: string, options: Partial<SandboxOptions> = {}): Promise<BankAt> {
  let now = Date.parse(`${moment}-03:00`);
  const bank = await givenBank({ machineNow: () => now, notifications: { connections: 1 }, ...options });
  const goTo = async (next: string) => {
    now = Date.parse(`${next}-03:00`);
    await bank.call('POST', '/sandbox/clock', { advanceSeconds: 0 });
  };
  return { ...bank, goTo };
}

/** A valid RecSolicitada: monthly, from 31 January 2030 on, of a fixed amount. */
export function recBody(more: object = {}): object {
  return {
    vinculo: { contrato: 'plano-1', devedor: { cpf: '12345678909', nome: 'Joana Teste' } },
    calendario: { dataInicial: '2030-01-31', periodicidade: 'MENSAL' },
    valor: { valorRec: '10.00' },
    politicaRetentativa: 'PERMITE_3R_7D',
    ...more,
  };
}

/** Creates a mandate with a location, and returns its code. */
export async function givenRec(bank: Client, more: object = {}): Promise<{ idRec: string; brCode: string }> {
  const { body: loc } = await bank.api('POST', '/v2/locrec', { tipo: 'rec' });
  const { body } = await bank.api('POST', '/v2/rec', recBody({ loc: loc.id, ...more }));
  const rec = await bank.api('GET', `/v2/rec/${body.idRec}`);
  return { idRec: body.idRec, brCode: z.string().parse(rec.body.dadosQR.pixCopiaECola) };
}

/** Creates a mandate that the app's customer approved by its code. */
export async function givenApprovedRec(
  bank: Client,
  more: object = {},
  approval: object = {},
): Promise<string> {
  const { idRec, brCode } = await givenRec(bank, more);
  const { status } = await bank.call('POST', '/sandbox/recs', { brCode, ...approval });
  expect(status).toBe(201);
  return idRec;
}

let count = 0;

/** A valid CobRSolicitada, due on 31 January 2030. */
export function cobrBody(idRec: string, more: object = {}): object {
  return {
    idRec,
    calendario: { dataDeVencimento: '2030-01-31' },
    valor: { original: '10.00' },
    ajusteDiaUtil: true,
    recebedor: { conta: '12345', tipoConta: 'CORRENTE' },
    ...more,
  };
}

/** Asks for a charge of a mandate with a new txid. */
export async function putCobr(bank: Client, idRec: string, more: object = {}) {
  count += 1;
  const txid = `cobr${String(count).padStart(26, '0')}`;
  const response = await bank.api('PUT', `/v2/cobr/${txid}`, cobrBody(idRec, more));
  return { txid, ...response };
}
