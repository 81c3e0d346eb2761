import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childEnv } from '../server/test/child-env.ts';
import { freePort } from '../server/test/free-port.ts';
import { randomCpf } from '../server/test/random-cpf.ts';

/** The whole product as run by `npm start`: its own PostgreSQL, Banco Sandbox, gateway and dashboard. */
export type Stack = {
  readonly url: string;
  readonly bankUrl: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Its output so far. */
  printed(): string;
  /** Ctrl-C: an orderly shutdown. Returns the exit code. */
  stop(): Promise<number | null>;
  /** A power cut: all processes, including PostgreSQL and the bank, end at once (SIGKILL). */
  kill(): Promise<void>;
  /** Removes the stack's data. */
  remove(): void;
};

/** A stack that other test files use afterwards. */
export type LentStack = Pick<Stack, 'url' | 'bankUrl'>;

/** The variable with the data folder of a product that was started once with its demo and stopped in order. */
export const SEEDED_DATA = 'E2E_SEEDED_DATA';
/** The variable with the output of that first start. */
export const FIRST_START = 'E2E_FIRST_START';
/** The variable with the address that lends running products. */
export const LENDER = 'E2E_LENDER';

const start = fileURLToPath(new URL('../tools/start.ts', import.meta.url));

/**
 * The product shared by one worker's test files, one after the other. They restore its time, its bank's behaviour and
 * its demo accounts.
 */
export async function lentStack(): Promise<LentStack> {
  const answer = await fetch(`${process.env[LENDER]}/${process.env['VITEST_POOL_ID']}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return JSON.parse(text);
}

/** Starts the product with its demo in a folder of its own on free ports, and waits until it is ready. */
export async function startStack(given: Record<string, string> = {}): Promise<Stack> {
  const seeded = given['DATA_DIR'] === undefined ? process.env[SEEDED_DATA] : undefined;
  const dataDir = given['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'jangada-e2e-'));
  // Node's own copy would change the folder modes, which PostgreSQL checks.
  if (seeded !== undefined) execFileSync('cp', ['-a', `${seeded}/.`, dataDir]);
  const [port, bankPort] = [given['PORT'] ?? (await freePort()), given['SANDBOX_PORT'] ?? (await freePort())];
  const settings = {
    RATE_LIMIT: '0',
    ...given,
    DATA_DIR: dataDir,
    PORT: `${port}`,
    SANDBOX_PORT: `${bankPort}`,
  };
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, [start], {
    env: { ...childEnv, HOME: process.env['HOME'] ?? '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000);
    });
  }
  const exited = once(child, 'exit');
  await untilReady(url, child, () => output);
  if (seeded !== undefined) await resumePayouts(url);
  return {
    url,
    bankUrl: `http://localhost:${bankPort}`,
    settings,
    printed: () => output,
    async stop() {
      child.kill('SIGINT');
      await exited;
      return child.exitCode;
    },
    async kill() {
      for (const pid of familyOf(child.pid)) endAtOnce(pid);
      await exited;
    },
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

/** A moved database may be a copy, so the gateway stops payouts until an operator resumes them. */
async function resumePayouts(url: string): Promise<void> {
  const token = await signInByApi({ url }, 'admin', 'admin-demo');
  const said = { reason: 'Cópia para um teste.' };
  await callApi({ url }, 'POST', '/admin/payouts/resume', { token, body: said });
}

/** A process and its descendants, parents first. Each leads its own process group. */
function familyOf(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...(children === '' ? [] : children.split(' ').flatMap((child) => familyOf(Number(child))))];
}

/** PostgreSQL's children may already have ended with their parent. */
function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const health = await fetch(`${url}/api/health`).catch(() => undefined);
    await health?.body?.cancel();
    if (health?.status === 200) return;
    await sleep(100);
  }
  throw new Error(`Jangada did not start:\n${output()}`);
}

/** Calls the API as an integrator does. Returns the parsed body; throws on a refusal. */
export async function callApi(
  stack: Pick<Stack, 'url'>,
  method: string,
  path: string,
  options: { body?: unknown; token?: unknown; apiKey?: unknown } = {},
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${stack.url}/api${path}`, {
    method,
    headers: {
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(options.apiKey === undefined ? {} : { 'x-api-key': `${options.apiKey}` }),
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

/** Signs in as a user without a second factor. Returns the session's token. */
export async function signInByApi(
  stack: Pick<Stack, 'url'>,
  username: string,
  password: string,
): Promise<string> {
  const { token } = await callApi(stack, 'POST', '/login', { body: { username, password } });
  return String(token);
}

/** A session of the demo merchant, who is approved and has an active key, the PIN 2580 and two months of business. */
export function openSession(stack: Pick<Stack, 'url'>): Promise<string> {
  return signInByApi(stack, 'lojista', 'lojista-demo');
}

export type CreatedCharge = { readonly id: string; readonly content: string };

/** A charge of `amount` BRL, open for 15 minutes. */
export async function newCharge(stack: LentStack, token: string, amount: number): Promise<CreatedCharge> {
  const { id, content } = await callApi(stack, 'POST', '/pix/new', {
    token,
    body: { amount, expires_in: 900 },
  });
  return { id: String(id), content: String(content) };
}

export const PASSWORD = 'mar calmo, vela alta';

/** Registers and approves a user. Returns their session. */
export async function openShop(
  stack: LentStack,
  person: Record<'username' | 'name', string>,
): Promise<string> {
  const email = `${person.username}@example.com`;
  const body = { ...person, document: randomCpf(), doctype: 'cpf', email, password: PASSWORD };
  const { token } = await callApi(stack, 'POST', '/register', { body });
  await approve(stack, person.username);
  return String(token);
}

/** The demo administrator approves the user of this name, with a fee of 0.99 %. */
export async function approve(stack: LentStack, username: string): Promise<void> {
  const token = await signInByApi(stack, 'admin', 'admin-demo');
  const found = await callApi(stack, 'GET', `/admin/user/basics?search=${encodeURIComponent(username)}`, {
    token,
  });
  const [user] = found['users'] as {
    id: string;
    username: string;
    version: number;
    taxes: Record<string, object>;
  }[];
  if (user?.username !== username) throw new Error(`Nobody is called ${username}`);
  const taxes = { ...user.taxes, pix: { ...user.taxes['pix'], in: 0.99 } };
  const change = { version: user.version, approved: true, apiActive: true, taxes };
  await callApi(stack, 'PUT', `/admin/users/${user.id}`, { token, body: change });
}

/** Submits three identity pictures, as a merchant's form does: front, back, face. */
export async function sendDocuments(
  stack: Pick<Stack, 'url'>,
  token: string,
  pictures: readonly Buffer[],
): Promise<void> {
  const form = new FormData();
  for (const [at, side] of ['document_front', 'document_back', 'selfie'].entries())
    form.append(side, new Blob([new Uint8Array(pictures[at] ?? [])], { type: 'image/jpeg' }), `${side}.jpg`);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${stack.url}/api/authed/verify/cpf`, { method: 'POST', headers, body: form });
  if (!answer.ok) throw new Error(`The documents were refused: ${await answer.text()}`);
}
