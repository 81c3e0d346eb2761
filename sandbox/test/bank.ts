import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { type RunningSandbox, type SandboxOptions, startSandbox } from '../src/index.ts';

/** After how long the bank cuts off a call that it leaves without a response. */
const HANG_MS = 200;

const connectionCut = z.object({ code: z.literal('UND_ERR_SOCKET') });

/** Makes a directory that is removed after the test. */
export async function givenDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'banco-sandbox-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Starts a bank with empty books on a free port. */
export async function givenBank(options: Partial<SandboxOptions> = {}): Promise<Client> {
  const sandbox = await startSandbox({
    dataDir: await givenDirectory(),
    durable: false,
    hangMs: HANG_MS,
    ...options,
  });
  onTestFinished(() => sandbox.stop());
  return connect(sandbox);
}

export interface BankResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into foreign JSON, and a wrong path fails the test
  readonly body: any;
  readonly headers: Headers;
}

/** A client of one bank. */
export interface Client {
  readonly sandbox: RunningSandbox;
  /** Calls the API Pix with a token. */
  api(method: string, path: string, body?: unknown): Promise<BankResponse>;
  /** Calls the API Pix and returns whether a response arrived before the connection was cut. */
  isAnswered(method: string, path: string, body?: unknown): Promise<boolean>;
  /** Calls the public listener without a token. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<BankResponse>;
}

/** Returns a client with its own token, which is renewed when it has expired by the bank's clock. */
export async function connect(sandbox: RunningSandbox, scope?: string): Promise<Client> {
  const call: Client['call'] = (method, path, body, headers = {}) =>
    send(sandbox.url + path, method, body, headers);
  let authorization = await authorize(call, sandbox, scope);
  const api: Client['api'] = async (method, path, body) => {
    const response = await call(method, path, body, { authorization });
    if (response.status !== 401) return response;
    authorization = await authorize(call, sandbox, scope);
    return call(method, path, body, { authorization });
  };
  const isAnswered: Client['isAnswered'] = (method, path, body) =>
    api(method, path, body).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Error && connectionCut.safeParse(error.cause).success) return false;
        throw error;
      },
    );
  return { sandbox, call, api, isAnswered };
}

const openedSchema = z.object({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  document: z.string(),
  city: z.string(),
  ispb: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
});

/** A client of an account that was opened while the bank ran, with the account's id. */
export type AccountClient = Client & { readonly id: string };

/** Opens an account and returns a client of it. */
export async function openAccount(bank: Client, more: object = {}): Promise<AccountClient> {
  const holder = { name: 'Loja da Ana', document: '11222333000181', city: 'OLINDA' };
  const { body } = await bank.call('POST', '/sandbox/accounts', { ...holder, ...more });
  const { id, clientId, clientSecret, ...account } = openedSchema.parse(body);
  return { ...(await connect({ ...bank.sandbox, account, clientId, clientSecret })), id };
}

async function authorize(call: Client['call'], sandbox: RunningSandbox, scope?: string): Promise<string> {
  const basic = Buffer.from(`${sandbox.clientId}:${sandbox.clientSecret}`).toString('base64');
  const headers = { authorization: `Basic ${basic}` };
  const { body } = await call('POST', '/oauth/token', { grant_type: 'client_credentials', scope }, headers);
  return `Bearer ${z.object({ access_token: z.string() }).parse(body).access_token}`;
}

/** A valid CobSolicitada. */
export function cobBody(amount = '10.00', more: object = {}): object {
  return {
    calendario: { expiracao: 3600 },
    valor: { original: amount },
    chave: '8f5c1a2e-3b7d-4e61-9a0f-6d2c4b8e1f35',
    ...more,
  };
}

let chargeCount = 0;

/** Creates a charge and returns its txid and code. */
export async function givenCharge(
  bank: Client,
  amount?: string,
  more?: object,
): Promise<{ txid: string; brCode: string }> {
  chargeCount += 1;
  const txid = `charge${String(chargeCount).padStart(26, '0')}`;
  const { body } = await bank.api(
    'PUT',
    `/v2/cob/${txid}`,
    cobBody(amount, { chave: bank.sandbox.account.key, ...more }),
  );
  return { txid, brCode: z.string().parse(body.pixCopiaECola) };
}

/** A valid CobVSolicitada, due in the year 2099 unless `more` says otherwise. */
export function cobvBody(more: object = {}): object {
  return {
    calendario: { dataDeVencimento: '2099-03-02', validadeAposVencimento: 5 },
    devedor: { cpf: '12345678909', nome: 'Ana' },
    valor: { original: '100.00' },
    chave: '8f5c1a2e-3b7d-4e61-9a0f-6d2c4b8e1f35',
    ...more,
  };
}

/** Creates a charge with a due date and returns its txid and code. */
export async function givenCobv(bank: Client, more?: object): Promise<{ txid: string; brCode: string }> {
  chargeCount += 1;
  const txid = `cobv${String(chargeCount).padStart(26, '0')}`;
  const { body } = await bank.api(
    'PUT',
    `/v2/cobv/${txid}`,
    cobvBody({ chave: bank.sandbox.account.key, ...more }),
  );
  return { txid, brCode: z.string().parse(body.pixCopiaECola) };
}

/** The query of a list for a time window that contains everything. */
export const WINDOW = 'inicio=2020-01-01T00:00:00Z&fim=2100-01-01T00:00:00Z';

/** Pays a new charge and returns the endToEndId. */
export async function payNew(bank: Client, amount = '100.00'): Promise<string> {
  const { brCode } = await givenCharge(bank, amount);
  return (await bank.call('POST', '/sandbox/payments', { brCode })).body.endToEndId;
}

/** The account's balance, in BRL. */
export const readBalance = async (bank: Client) => (await bank.call('GET', '/sandbox/account')).body.balance;

/** Changes how the bank misbehaves. */
export const setBehaviour = (bank: Client, behaviour: object) =>
  bank.call('PUT', '/sandbox/behaviour', behaviour);

/** One item of a notification. */
export interface NotifiedItem {
  readonly endToEndId: string;
  readonly txid: string;
  readonly valor: string;
  readonly status?: string;
  readonly gnExtras?: { readonly idEnvio?: string };
}

/** A server that receives the bank's notifications. */
export interface Receiver {
  readonly url: string;
  /** The bodies of the calls so far. */
  readonly calls: { pix: NotifiedItem[] }[];
  /** Resolves once this many calls have arrived. */
  waitForCalls(count: number): Promise<void>;
}

/** Starts a webhook receiver that responds to each call with the status that `statusOf` returns (200 by default). */
export async function givenReceiver(statusOf: (call: number) => number = () => 200): Promise<Receiver> {
  const calls: Receiver['calls'] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer(async (request, response) => {
    // A bank killed during a call cannot receive a response.
    const body = await readBody(request).catch(() => undefined);
    if (body === undefined) return response.destroy();
    calls.push(JSON.parse(body));
    response.statusCode = statusOf(calls.length);
    response.end();
    for (const { count, resolve } of waiting) if (calls.length >= count) resolve();
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = z.object({ port: z.int() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    calls,
    waitForCalls: (count) =>
      new Promise((resolve) => (calls.length >= count ? resolve() : waiting.push({ count, resolve }))),
  };
}

async function send(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<BankResponse> {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    body: isJson && text !== '' ? JSON.parse(text) : text,
    headers: response.headers,
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
