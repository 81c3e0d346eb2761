import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childEnv } from '../server/test/child-env.ts';
import { findFreePort } from '../server/test/free-port.ts';
import { randomCpf } from '../server/test/random-cpf.ts';

/** The whole product as run by `npm start`: its own PostgreSQL, Banco Sandbox, gateway and dashboard. */
export type Stack = {
  readonly url: string;
  readonly bankUrl: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Returns the last 20,000 characters that the product has printed. */
  output(): string;
  /** Stops the product in order, as Ctrl-C does. Returns the exit code. */
  stop(): Promise<number | null>;
  /** Kills all processes, including PostgreSQL and the bank, at the same moment (SIGKILL), like a power cut. */
  kill(): Promise<void>;
  /** Removes the stack's data. */
  remove(): void;
};

/** A running product that other test files use too, so a test may not stop it. */
export type SharedStack = Pick<Stack, 'url' | 'bankUrl'>;

/** A product that was started once with its demo, and stopped again: what it printed, and the folder of its data. */
export type FirstStart = { readonly output: string; readonly dataDir: string };

/** The path at which the lending server (lend-stacks.ts) returns the `FirstStart`. */
export const FIRST_START = '/first-start';
/** The environment variable with the URL of the server that lends running products. */
export const LENDER = 'E2E_LENDER';

const startScript = fileURLToPath(new URL('../tools/start.ts', import.meta.url));

/**
 * Returns the running product that the test files of one Vitest worker share, one after the other. A test that
 * changes the bank's behaviour or the demo accounts must undo the change, because the next file gets the same product.
 */
export async function borrowStack(): Promise<SharedStack> {
  return askLender(`/${process.env['VITEST_POOL_ID']}`);
}

/** Waits until the first start has ended, and returns what it left behind. */
export async function readFirstStart(): Promise<FirstStart> {
  return askLender(FIRST_START);
}

async function askLender(path: string) {
  const response = await fetch(`${process.env[LENDER]}${path}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text);
}

/**
 * Starts the product with its demo in a folder of its own on free ports, and waits until it is ready. If a lending
 * server runs, the product starts with a copy of the first start's data, so that the demo is seeded only once.
 */
export async function startStack(overrides: Record<string, string> = {}): Promise<Stack> {
  const isCopy = overrides['DATA_DIR'] === undefined && process.env[LENDER] !== undefined;
  const seededData = isCopy ? (await readFirstStart()).dataDir : undefined;
  const dataDir = overrides['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'jangada-e2e-'));
  // Node's copy function would change the permissions of folders, and PostgreSQL refuses a data folder with wrong ones.
  if (seededData !== undefined) execFileSync('cp', ['-a', `${seededData}/.`, dataDir]);
  const port = overrides['PORT'] ?? (await findFreePort());
  const bankPort = overrides['SANDBOX_PORT'] ?? (await findFreePort());
  const settings = {
    RATE_LIMIT: '0',
    ...overrides,
    DATA_DIR: dataDir,
    PORT: `${port}`,
    SANDBOX_PORT: `${bankPort}`,
  };
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, [startScript], {
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
  await waitUntilReady(url, child, () => output);
  if (seededData !== undefined) await resumePayouts(url);
  return {
    url,
    bankUrl: `http://localhost:${bankPort}`,
    settings,
    output: () => output,
    async stop() {
      child.kill('SIGINT');
      await exited;
      return child.exitCode;
    },
    async kill() {
      for (const pid of processTreeOf(child.pid)) killProcess(pid);
      await exited;
    },
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

/**
 * Resumes payouts as an operator does. The gateway stops payouts when its database lies in another folder than before,
 * because it may be a copy of a database that is still in use.
 */
async function resumePayouts(url: string): Promise<void> {
  const token = await signInByApi({ url }, 'admin', 'admin-demo');
  const body = { reason: 'Cópia para um teste.' };
  await callApi({ url }, 'POST', '/admin/payouts/resume', { token, body });
}

/**
 * Returns a process and its descendants, parents first. Each leads its own process group, so each is killed by itself.
 */
function processTreeOf(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [
    pid,
    ...(children === '' ? [] : children.split(' ').flatMap((child) => processTreeOf(Number(child)))),
  ];
}

/** Kills a process if it still exists: PostgreSQL's children may already have ended with their parent. */
function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function waitUntilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
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
  const response = await fetch(`${stack.url}/api${path}`, {
    method,
    headers: {
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(options.apiKey === undefined ? {} : { 'x-api-key': `${options.apiKey}` }),
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
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

/**
 * Signs in as the demo merchant, who is approved and has an active API key, the PIN 2580 and payments from the last
 * two months. Returns the token.
 */
export function signInAsDemoMerchant(stack: Pick<Stack, 'url'>): Promise<string> {
  return signInByApi(stack, 'lojista', 'lojista-demo');
}

export type CreatedCharge = { readonly id: string; readonly content: string };

/** Creates a charge of `amount` BRL, which expires after 15 minutes. */
export async function createCharge(
  stack: SharedStack,
  token: string,
  amount: number,
): Promise<CreatedCharge> {
  const { id, content } = await callApi(stack, 'POST', '/pix/new', {
    token,
    body: { amount, expires_in: 900 },
  });
  return { id: String(id), content: String(content) };
}

/** The password of every user that tests register. */
export const PASSWORD = 'mar calmo, vela alta';

/** Registers and approves a user. Returns the token of their session. */
export async function registerMerchant(
  stack: SharedStack,
  person: Record<'username' | 'name', string>,
): Promise<string> {
  const email = `${person.username}@example.com`;
  const body = { ...person, document: randomCpf(), doctype: 'cpf', email, password: PASSWORD };
  const { token } = await callApi(stack, 'POST', '/register', { body });
  await approve(stack, person.username);
  return String(token);
}

/** Approves the user with this username as the demo administrator, and sets a fee of 0.99 %. */
export async function approve(stack: SharedStack, username: string): Promise<void> {
  const token = await signInByApi(stack, 'admin', 'admin-demo');
  const page = await callApi(stack, 'GET', `/admin/user/basics?search=${encodeURIComponent(username)}`, {
    token,
  });
  const [user] = page['users'] as {
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

/** Submits three pictures of an identity document, as a merchant's form does: front, back, and a face with it. */
export async function sendDocuments(
  stack: Pick<Stack, 'url'>,
  token: string,
  pictures: readonly Buffer[],
): Promise<void> {
  const form = new FormData();
  for (const [index, side] of ['document_front', 'document_back', 'selfie'].entries())
    form.append(
      side,
      new Blob([new Uint8Array(pictures[index] ?? [])], { type: 'image/jpeg' }),
      `${side}.jpg`,
    );
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${stack.url}/api/authed/verify/cpf`, { method: 'POST', headers, body: form });
  if (!response.ok) throw new Error(`The documents were refused: ${await response.text()}`);
}
