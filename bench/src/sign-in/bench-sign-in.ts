// npm run bench -- sign-in [--quick]: does the response time of a refused sign-in reveal which accounts exist?
import { randomInt, randomUUID } from 'node:crypto';
import { beginTotp, confirmTotp, login, register } from '@jangada/contract';
import { Client } from 'undici';
import { randomCpf } from '../../../server/test/random-cpf.ts';
import { type BenchOutcome, type Counts, saveResult, thisMachine } from '../bench-result.ts';
import { spreadOf } from '../statistics.ts';
import { withProduct } from '../with-product.ts';
import { totpCode } from './totp-code.ts';

/** The kinds of refused sign-ins that are timed. All of them send a wrong password. */
const kinds = ['an unknown user', 'a wrong password', 'a wrong password, with a second factor'] as const;
type Kind = (typeof kinds)[number];

/** The median time of each kind may differ by at most 5 % from that of an unknown user. */
const goal = 0.05;

type Plan = { readonly rounds: number; readonly warmUp: number; readonly repetitions: number };

const full: Plan = { rounds: 5, warmUp: 40, repetitions: 200 };

/** With `--quick` the bench runs one round and stores nothing. */
export async function benchSignIn(args: readonly string[]): Promise<BenchOutcome> {
  const quick = args.includes('--quick');
  const machine = thisMachine();
  // Each guess comes from a different address, so that no throttle refuses it before its password is checked.
  const measured = await withProduct((origin) => measure(origin, quick ? { ...full, rounds: 1 } : full), {
    TRUST_PROXY: 'loopback',
  });
  report(measured, machine, quick);
  return quick ? 'preview' : 'saved';
}

/** Makes two guesses of each kind, too few for a throttle, and checks that all are refused as expected. */
export async function runSmallSignIn(origin: string): Promise<Counts> {
  const measured = await measure(origin, { rounds: 1, warmUp: 1, repetitions: 1 });
  return { rounds: measured.length, kinds: measured.flatMap((round) => Object.values(round)).length };
}

async function measure(
  origin: string,
  { rounds, warmUp, repetitions }: Plan,
): Promise<Record<Kind, number>[]> {
  const client = new Client(origin);
  try {
    const usernames = await makeAccounts(client);
    await timeRound(client, usernames, warmUp);
    const measured: Record<Kind, number>[] = [];
    for (let round = 0; round < rounds; round += 1)
      measured.push(await timeRound(client, usernames, repetitions));
    return measured;
  } finally {
    await client.close();
  }
}

const password = 'jangada ao vento sul';

/**
 * Makes one account without and one with a second factor, checks that both work, and returns a username for each kind.
 */
async function makeAccounts(client: Client): Promise<Record<Kind, string>> {
  const suffix = randomUUID().slice(0, 8);
  const registerAccount = async (username: string) => {
    const document = randomCpf();
    const person = { username, name: 'Pessoa Medida', email: `${username}@example.com`, document };
    const response = await call(client, '/register', { ...person, password, doctype: 'cpf' });
    return { username, token: register.response.parse(response.body).token };
  };
  const plain = await registerAccount(`medida-${suffix}`);
  const protectedAccount = await registerAccount(`segura-${suffix}`);
  const { secret } = beginTotp.response.parse(
    (await call(client, '/authed/security/totp', { password }, protectedAccount)).body,
  );
  const code = totpCode(secret, new Date());
  confirmTotp.response.parse(
    (await call(client, '/authed/security/totp/confirm', { code }, protectedAccount)).body,
  );
  const signIn = await call(client, '/login', { username: protectedAccount.username, password });
  if (signIn.status !== 403) throw new Error('The second factor of the measured account is not required.');
  login.response.parse((await call(client, '/login', { username: plain.username, password })).body);
  return {
    'an unknown user': `ninguem-${suffix}`,
    'a wrong password': plain.username,
    'a wrong password, with a second factor': protectedAccount.username,
  };
}

/** Returns the median time of each kind in milliseconds. The kinds take turns in random order. */
async function timeRound(
  client: Client,
  usernames: Record<Kind, string>,
  repetitions: number,
): Promise<Record<Kind, number>> {
  const times = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]));
  for (let repetition = 0; repetition < repetitions; repetition += 1)
    for (const kind of shuffled(kinds)) {
      const startMs = performance.now();
      const { status } = await call(client, '/login', { username: usernames[kind], password: 'não é esta' });
      times.get(kind)?.push(performance.now() - startMs);
      if (status !== 401) throw new Error(`A guess was answered ${status}.`);
    }
  const medianOf = (kind: Kind) => spreadOf(times.get(kind) ?? []).median;
  return {
    'an unknown user': medianOf('an unknown user'),
    'a wrong password': medianOf('a wrong password'),
    'a wrong password, with a second factor': medianOf('a wrong password, with a second factor'),
  };
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, rank: randomInt(2 ** 32) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

type Response = { readonly status: number; readonly body: unknown };

async function call(
  client: Client,
  path: string,
  body: object,
  { token }: { readonly token?: string } = {},
): Promise<Response> {
  const { statusCode, body: responseBody } = await client.request({
    method: 'POST',
    path: `/api${path}`,
    headers: {
      'content-type': 'application/json',
      // RFC 2544 reserves these addresses for benchmarks.
      'x-forwarded-for': `198.${18 + randomInt(2)}.${randomInt(256)}.${randomInt(256)}`,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  return { status: statusCode, body: await responseBody.json() };
}

function report(
  measured: readonly Record<Kind, number>[],
  machine: ReturnType<typeof thisMachine>,
  quick: boolean,
): void {
  const rounded = (value: number) => Math.round(value * 1000) / 1000;
  const figures = kinds.map((kind) => {
    const { median, lowest, highest } = spreadOf(measured.map((round) => round[kind]));
    const ratio = spreadOf(measured.map((round) => round[kind] / round['an unknown user'])).median;
    return {
      kind,
      milliseconds: { median: rounded(median), lowest: rounded(lowest), highest: rounded(highest) },
      ratio: rounded(ratio),
      reached: Math.abs(ratio - 1) <= goal,
    };
  });
  console.table(
    figures.map(({ kind, milliseconds, ratio, reached }) => ({
      'signing in as': kind,
      'ms (median)': milliseconds.median,
      'to an unknown user': ratio,
      'within 5 %': reached ? 'yes' : 'NO',
    })),
  );
  if (!quick)
    saveResult('sign-in', {
      machine: { ...machine, loadAverageAfter: thisMachine().loadAverage },
      rounds: measured.length,
      repetitions: full.repetitions,
      goal,
      figures,
    });
  if (figures.some(({ reached }) => !reached))
    throw new Error('The response time of a refusal reveals who has an account.');
}
