import { isIP } from 'node:net';
import { connectableBank } from '@jangada/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestBank, type TestBank } from '../../test/bank.ts';
import { hostileUrls } from '../../test/hostile-urls.ts';
import { type ScriptedBank, startScriptedBank } from '../../test/scripted-bank.ts';
import { readConfig } from '../config.ts';
import { isAllowedBankAddress } from './bank-address.ts';
import { connectBank } from './connect-bank.ts';
import { findKnownBank, houseBank, knownBanks, pspConfigOf, toConnectableBank } from './known-banks.ts';

const sandbox = readConfig({});
const live = readConfig({
  PSP: 'efi',
  PUBLIC_URL: 'https://pix.example',
  PSP_BASE_URL: 'https://banco.example/v2',
  PSP_TOKEN_URL: 'https://banco.example/token',
  PSP_CLIENT_ID: 'us',
  PSP_CLIENT_SECRET: 'secret',
  PIX_KEY: 'pix@jangada.example',
});
const idsOf = (config: typeof live) => knownBanks(config).map(({ id }) => id);
const addressesOf = (config: typeof live) =>
  knownBanks(config).flatMap(({ addresses }) => (addresses ? [addresses.apiUrl, addresses.tokenUrl] : []));

describe('the banks that merchants may connect', () => {
  test('are real ones with real money, and test environments in the sandbox, each by its own id', () => {
    expect(idsOf(live)).toEqual(['efi', 'inter', 'sicredi', 'other']);
    expect(idsOf(sandbox)).toEqual([
      'sandbox',
      'efi-homologacao',
      'inter-sandbox',
      'sicredi-homologacao',
      'other',
    ]);
    expect(findKnownBank(live, 'sandbox')).toBeUndefined();
    expect(findKnownBank(sandbox, 'efi')).toBeUndefined();
  });

  test('share no address between the sandbox and real money', () => {
    const liveAddresses = addressesOf(live);
    expect(liveAddresses).toHaveLength(6);
    expect(liveAddresses.filter((address) => addressesOf(sandbox).includes(address))).toEqual([]);
  });

  test('have addresses that an administrator could have entered', () => {
    for (const address of addressesOf(live))
      expect([address, isAllowedBankAddress(address, live)]).toEqual([address, true]);
  });

  test('are shown to merchants without their addresses', () => {
    for (const bank of [...knownBanks(live), ...knownBanks(sandbox)]) {
      const shown = toConnectableBank(bank);
      expect(connectableBank.parse(shown)).toEqual(shown);
      expect(JSON.stringify(shown)).not.toContain(
        new URL(bank.addresses?.apiUrl ?? 'https://nowhere.example').host,
      );
      expect(shown.needsAddresses).toBe(bank.id === 'other');
    }
  });

  test('are reached as the settings would reach them', () => {
    const bank = findKnownBank(sandbox, 'sandbox');
    const { baseUrl, tokenUrl, clientId, clientSecret } = sandbox.psp;
    expect(
      bank && pspConfigOf(bank, { apiUrl: `${baseUrl}/`, tokenUrl }, { clientId, clientSecret }),
    ).toEqual(sandbox.psp);
  });
});

test('a bank that the gateway does not know takes a client certificate, and does not have to', () => {
  expect(knownBanks(live).map(({ id, certificate }) => [id, certificate])).toEqual([
    ['efi', 'required'],
    ['inter', 'required'],
    ['sicredi', 'required'],
    ['other', 'optional'],
  ]);
});

test('the operator’s own bank is known by its settings', () => {
  expect(houseBank(live)).toMatchObject({
    id: 'efi',
    certificate: 'required',
    addresses: { apiUrl: 'https://banco.example/v2', tokenUrl: 'https://banco.example/token' },
    offers: { withdrawals: true },
  });
  expect(
    houseBank({ psp: { ...live.psp, name: 'bacen', institution: 'Banco X', refunds: false } }),
  ).toMatchObject({
    id: 'bacen',
    name: 'Banco X',
    offers: { refunds: false, withdrawals: false },
  });
});

describe('an address that an administrator enters', () => {
  test('leads to a public server by TLS', () => {
    const urls = ['https://api.banco.example/pix/v2', 'https://api.banco.com.br:8443/token'];
    expect(urls.map((url) => isAllowedBankAddress(url, live))).toEqual([true, true]);
    const refused = [
      'http://api.banco.example/v2',
      'https://10.0.0.7/v2',
      'https://127.0.0.1/v2',
      'https://localhost/v2',
      'https://banco.internal/v2',
      'https://us:secret@api.banco.example/v2',
      'https://api.banco.example/v2?x=1',
      'https://api.banco.example/v2#x',
      'ftp://api.banco.example/v2',
      '',
    ];
    expect(refused.filter((url) => isAllowedBankAddress(url, live))).toEqual([]);
  });

  test('does not lead into this machine or its network by any of the known tricks', () => {
    const tricks = hostileUrls.map((url) => url.replace('{port}', '443'));
    const byNumber = tricks.filter(
      (url) => URL.canParse(url) && isIP(new URL(url).hostname.replace(/^\[|\]$/g, '')) > 0,
    );
    expect(byNumber.length).toBeGreaterThan(50);
    expect(byNumber.filter((url) => isAllowedBankAddress(url, live))).toEqual([]);
  });

  test('may lead to this machine in a sandbox that no other machine can reach', () => {
    const url = 'http://127.0.0.1:3001/v2';
    expect(isAllowedBankAddress(url, sandbox)).toBe(true);
    expect(isAllowedBankAddress(url, { ...sandbox, sandboxPublic: true })).toBe(false);
    expect(isAllowedBankAddress('http://10.0.0.7:3001/v2', sandbox)).toBe(false);
  });
});

describe('Banco Sandbox with a port for client certificates', () => {
  let bank: TestBank;
  beforeAll(async () => {
    bank = await startTestBank({ mtls: {} });
  });
  afterAll(() => bank.stop());

  test('is a bank of its own, which trusts and is trusted as `npm start` sets it up', async () => {
    const authority = await (await fetch(`${bank.url}/sandbox/authority`)).text();
    const config = readConfig({
      SANDBOX_PORT: String(bank.port),
      SANDBOX_MTLS_PORT: new URL(bank.mtlsUrl ?? '').port,
      SANDBOX_MTLS_CA: authority,
    });
    const holder = { name: 'Loja da Ana', document: '11222333000181', city: 'OLINDA' };
    const opened = await fetch(`${bank.url}/sandbox/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...holder, certificateDays: 365 }),
    });
    const { key, certificate, ...client } = openedAccount.parse(await opened.json());
    const known = knownBanks(config).find(({ name }) => name === 'Banco Sandbox com certificado');
    if (known?.addresses === undefined) throw new Error('the bank is not listed');
    expect(known.certificate).toBe('required');
    const tls = { cert: Buffer.from(certificate), key: Buffer.from(certificate) };
    const psp = pspConfigOf(known, known.addresses, { ...client, tls });
    const connected = connectBank({ psp, pixKey: key, merchantCity: 'RECIFE' });
    expect(await connected.findNoticeUrl()).toBeUndefined();
    await connected.close();
  });

  test('is not listed without its authority', () => {
    const config = readConfig({ SANDBOX_MTLS_PORT: '3002' });
    expect(idsOf(config)).not.toContain('sandbox-certificado');
  });
});

const openedAccount = z.object({
  key: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  certificate: z.string(),
});

describe('a request for a token', () => {
  let bank: ScriptedBank;
  beforeAll(async () => {
    bank = await startScriptedBank();
  });
  afterAll(() => bank.stop());

  test('carries the credentials where the bank reads them', async () => {
    const known = findKnownBank(live, 'inter');
    const addresses = { apiUrl: `${bank.url}/v2`, tokenUrl: `${bank.url}/oauth/token` };
    const psp = known && pspConfigOf(known, addresses, { clientId: 'us', clientSecret: 'a b' });
    const connected = psp && connectBank({ psp, pixKey: 'pix@jangada.example', merchantCity: 'RECIFE' });
    await connected?.findNoticeUrl().catch(() => {});
    await connected?.close();
    expect(Object.fromEntries(new URLSearchParams(bank.calls[0]?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'us',
      client_secret: 'a b',
      scope: 'cob.write cob.read pix.write pix.read webhook.write webhook.read',
    });
  });
});
