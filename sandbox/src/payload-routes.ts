import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { centsToPixAmount } from '@jangada/pix';
import type { FastifyInstance } from 'fastify';
import {
  CompactSign,
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import type { Accounts } from './accounts.ts';
import { asQuery, readText } from './api/list-query.ts';
import type { SandboxRec } from './automatic/automatic-records.ts';
import { recAtLocation } from './automatic/read-mandate-code.ts';
import { formatRecPayload, hasRecEnded } from './automatic/rec.ts';
import type { Bank } from './bank.ts';
import { type CalendarDay, dayAt, isCalendarDay } from './bank-days.ts';
import { formatTerms } from './charge.ts';
import { formatMoment } from './clock.ts';
import { formatCobvTexts, formatDueDate, formatReceiver } from './cobv.ts';
import { amountOn, lastPayableDay } from './cobv-amount.ts';
import { chargeAtLocation, cobvAtLocation, findByLocation } from './read-code.ts';
import type { SandboxCharge, SandboxCobv } from './records.ts';
import { Problem, type Violation } from './refusal.ts';

const KEYS_PATH = '/.well-known/jwks.json';

interface SigningKey {
  readonly key: CryptoKey | Uint8Array;
  /** The id by which a signature names its key. */
  readonly kid: string;
  readonly publicJwk: JWK;
}

/**
 * Serves what a dynamic BR Code points to: the charge, signed, for the payer's bank (BACEN's CobPayload or CobVPayload as
 * a JWS), or the mandate (RecPayload). Also serves the key that verifies the signature.
 */
export function payloadRoutes(app: FastifyInstance, accounts: Accounts): void {
  // The key is loaded when it is first needed, and created if the bank has none yet.
  let signingKeyPromise: Promise<SigningKey> | undefined;
  const getSigningKey = () => {
    signingKeyPromise ??= loadSigningKey(join(accounts.first.dataDir, 'signing-key.json'));
    return signingKeyPromise;
  };

  app.get<{ Params: { token: string } }>('/qr/v2/:token', async (request, reply) => {
    const { bank, charge } = findShown(accounts, request.params.token, chargeAtLocation);
    await bank.books.untilDurable();
    const payload = formatPayload(bank, charge);
    return reply.type('application/jose').send(await signPayload(bank, payload, await getSigningKey()));
  });
  app.get<{ Params: { token: string } }>('/qr/v2/cobv/:token', async (request, reply) => {
    const { bank, charge } = findShown(accounts, request.params.token, cobvAtLocation);
    const payload = formatCobvPayload(bank, charge, readPaymentDay(bank, charge, request.query));
    await bank.books.untilDurable();
    return reply.type('application/jose').send(await signPayload(bank, payload, await getSigningKey()));
  });
  app.get<{ Params: { token: string } }>('/qr/v2/rec/:token', async (request, reply) => {
    const { bank, rec } = findShownRec(accounts, request.params.token);
    await bank.books.untilDurable();
    const payload = formatRecPayload(bank, rec);
    return reply.type('application/jose').send(await signPayload(bank, payload, await getSigningKey()));
  });
  app.get(KEYS_PATH, async () => ({ keys: [(await getSigningKey()).publicJwk] }));
}

function findShownRec(accounts: Accounts, token: string): { bank: Bank; rec: SandboxRec } {
  const found = recAtLocation(accounts, token);
  if (found === undefined) {
    throw new Problem('RecPayloadNaoEncontrado', 'A location não exibe uma recorrência.');
  }
  if (!hasRecEnded(found.rec)) return found;
  throw new Problem(
    'RecPayloadOperacaoInvalida',
    'A recorrência em questão encontra-se expirada, cancelada ou rejeitada.',
  );
}

function findShown<C extends SandboxCharge | SandboxCobv>(
  accounts: Accounts,
  token: string,
  atLocation: (bank: Bank, token: string) => C | undefined,
): { bank: Bank; charge: C } {
  const bank = findByLocation(accounts, token);
  const charge = bank && atLocation(bank, token);
  if (bank === undefined || charge === undefined)
    throw new Problem('CobPayloadNaoEncontrado', 'A location não exibe uma cobrança.');
  if (charge.status.startsWith('REMOVIDA')) {
    throw new Problem('CobPayloadNaoEncontrado', 'A cobrança foi removida.', { status: 410 });
  }
  return { bank, charge };
}

/**
 * Reads the day on which the payer means to pay (`DPP`): today if none is given. The payer's town (`codMun`) has to be
 * well formed, but the bank knows no holidays of towns. Throws CobPayloadOperacaoInvalida with every violation.
 */
function readPaymentDay(bank: Bank, { terms }: SandboxCobv, rawQuery: unknown): CalendarDay {
  const query = asQuery(rawQuery);
  const today = dayAt(bank.books.clock.now());
  const violations: Violation[] = [];
  const town = query['codMun'];
  if (town !== undefined && !(typeof town === 'string' && /^\d{7}$/.test(town))) {
    violations.push({ razao: 'O parâmetro codMun não respeita o schema.', propriedade: 'codMun' });
  }
  const day = query['DPP'] === undefined ? today : (readText(query, 'DPP') ?? '');
  const reason = isCalendarDay(day)
    ? query['DPP'] !== undefined && dayProblem(day, today, lastPayableDay(terms))
    : 'não respeita o schema';
  if (reason) violations.push({ razao: `O parâmetro DPP ${reason}.`, propriedade: 'DPP' });
  if (violations.length === 0) return day;
  throw new Problem('CobPayloadOperacaoInvalida', 'A cobrança existe, mas a requisição é inválida.', {
    violations,
  });
}

function dayProblem(day: CalendarDay, today: CalendarDay, last: CalendarDay): string | undefined {
  if (day < today) return 'é anterior ao momento presente';
  return day > last ? 'é superior à validade da cobrança' : undefined;
}

/** Formats a charge with a due date as BACEN's CobVPayload, with what it costs on a day. */
function formatCobvPayload(bank: Bank, cobv: SandboxCobv, day: CalendarDay): object {
  const { terms, earlier, createdAt, txid, status, key } = cobv;
  const { cpf, cnpj, nome } = terms.debtor;
  return {
    revisao: earlier.length,
    calendario: {
      criacao: formatMoment(createdAt),
      apresentacao: formatMoment(bank.books.clock.now()),
      ...formatDueDate(terms),
    },
    devedor: { ...(cpf !== undefined && { cpf }), ...(cnpj !== undefined && { cnpj }), nome },
    recebedor: formatReceiver(bank.account),
    txid,
    status,
    valor: formatAmount(terms, day),
    chave: key,
    ...formatCobvTexts(terms),
  };
}

function formatAmount(terms: SandboxCobv['terms'], day: CalendarDay): object {
  const { originalCents, fineCents, interestCents, rebateCents, discountCents, finalCents } = amountOn(
    terms,
    day,
  );
  const amounts = {
    original: originalCents,
    multa: fineCents,
    juros: interestCents,
    abatimento: rebateCents,
    desconto: discountCents,
    final: finalCents,
  };
  return Object.fromEntries(Object.entries(amounts).map(([name, cents]) => [name, centsToPixAmount(cents)]));
}

/** Formats an immediate charge as BACEN's CobPayload. */
function formatPayload(bank: Bank, charge: SandboxCharge): object {
  return {
    revisao: charge.earlier.length,
    calendario: {
      criacao: formatMoment(charge.createdAt),
      apresentacao: formatMoment(bank.books.clock.now()),
      expiracao: charge.terms.expirySeconds,
    },
    txid: charge.txid,
    status: charge.status,
    ...formatTerms(charge.terms),
    chave: charge.key,
  };
}

function signPayload(bank: Bank, payload: object, { key, kid }: SigningKey): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid, jku: bank.site.publicUrl + KEYS_PATH })
    .sign(key);
}

async function loadSigningKey(path: string): Promise<SigningKey> {
  const jwk: JWK = await readFile(path, 'utf8').then(JSON.parse, () => createSigningKey(path));
  const kid = await calculateJwkThumbprint(jwk);
  const { kty = 'RSA', n = '', e = '' } = jwk;
  return { key: await importJWK(jwk, 'RS256'), kid, publicJwk: { kty, n, e, kid, alg: 'RS256', use: 'sig' } };
}

async function createSigningKey(path: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  await writeFile(`${path}.tmp`, JSON.stringify(jwk), { mode: 0o600, flush: true });
  await rename(`${path}.tmp`, path);
  return jwk;
}
