import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
import type { Bank } from './bank.ts';
import { formatTerms } from './charge.ts';
import { formatMoment } from './clock.ts';
import { chargeAtLocation, findByLocation } from './read-code.ts';
import type { SandboxCharge } from './records.ts';
import { Problem } from './refusal.ts';

const KEYS_PATH = '/.well-known/jwks.json';

interface SigningKey {
  readonly key: CryptoKey | Uint8Array;
  /** The id by which a signature names its key. */
  readonly kid: string;
  readonly publicJwk: JWK;
}

/**
 * Serves what a dynamic BR Code points to: the charge, signed, for the payer's bank (BACEN's CobPayload as a JWS). Also
 * serves the key that verifies the signature.
 */
export function payloadRoutes(app: FastifyInstance, accounts: Accounts): void {
  // The key is loaded when it is first needed, and created if the bank has none yet.
  let signingKeyPromise: Promise<SigningKey> | undefined;
  const getSigningKey = () => {
    signingKeyPromise ??= loadSigningKey(join(accounts.first.dataDir, 'signing-key.json'));
    return signingKeyPromise;
  };

  app.get<{ Params: { token: string } }>('/qr/v2/:token', async (request, reply) => {
    const { bank, charge } = findChargeByToken(accounts, request.params.token);
    await bank.books.untilDurable();
    return reply.type('application/jose').send(await signPayload(bank, charge, await getSigningKey()));
  });
  app.get(KEYS_PATH, async () => ({ keys: [(await getSigningKey()).publicJwk] }));
}

function findChargeByToken(accounts: Accounts, token: string): { bank: Bank; charge: SandboxCharge } {
  const bank = findByLocation(accounts, token);
  const charge = bank && chargeAtLocation(bank, token);
  if (bank === undefined || charge === undefined)
    throw new Problem('CobPayloadNaoEncontrado', 'A location não exibe uma cobrança.');
  if (charge.status.startsWith('REMOVIDA')) {
    throw new Problem('CobPayloadNaoEncontrado', 'A cobrança foi removida.', { status: 410 });
  }
  return { bank, charge };
}

async function signPayload(bank: Bank, charge: SandboxCharge, { key, kid }: SigningKey): Promise<string> {
  const payload = {
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
