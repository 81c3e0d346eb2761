// npm run admin:create -- --username NAME --name "FULL NAME" --email ADDRESS --document CPF-OR-CNPJ
// Makes an administrator. What is not given is asked for; the password is read from standard input, or generated and
// printed once. Works beside a running gateway, and without one.
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { registration } from '@jangada/contract';
import { normalizeDocument } from '@jangada/pix';
import { createAdministrator } from './admin/index.ts';
import { machineClock } from './clock.ts';
import { readConfig, WrongSetting } from './config.ts';
import { migrate } from './db/migrate.ts';
import { joinDatabase } from './db/open-database.ts';
import { createDb, createPool } from './db/pool.ts';
import { inTransaction } from './db/transaction.ts';
import { openSecrets } from './gateway/index.ts';
import { hashPassword } from './identity/index.ts';
import { refuseWeakPassword } from './passwords/index.ts';
import { Refusal } from './refusal.ts';

const questions = {
  username: 'Nome de usuário',
  name: 'Nome completo',
  email: 'Email',
  document: 'CPF ou CNPJ',
} as const;
const fields = ['username', 'name', 'email', 'document'] as const;

/** What was asked for does not make an account: the message is one line that says why. */
class WrongAnswer extends Error {}

async function main(): Promise<void> {
  const answers = await readAnswers();
  const given = process.stdin.isTTY ? '' : await readPassword();
  const password = given === '' ? randomBytes(15).toString('base64url') : given;
  const doctype = normalizeDocument(answers.document).length === 11 ? 'cpf' : 'cnpj';
  const parsed = registration.safeParse({ ...answers, password, doctype });
  if (!parsed.success) throw new WrongAnswer(parsed.error.issues[0]?.message);
  refuseWeakPassword(password, parsed.data);
  const passwordHash = await hashPassword(password);
  const docType = doctype === 'cpf' ? 'CPF' : 'CNPJ';
  await makeAdministrator({ ...parsed.data, docType, passwordHash });
  process.stdout.write(`Administrador ${parsed.data.username} criado.\n`);
  if (given === '') process.stdout.write(`Senha: ${password}\n`);
}

async function readAnswers(): Promise<Record<(typeof fields)[number], string>> {
  const text = { type: 'string' } as const;
  const options = { username: text, name: text, email: text, document: text };
  const { values } = parseOptions(() => parseArgs({ options }));
  const answers = { username: '', name: '', email: '', document: '', ...values };
  if (!process.stdin.isTTY) return answers;
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  for (const field of fields) answers[field] ||= (await prompt.question(`${questions[field]}: `)).trim();
  prompt.close();
  return answers;
}

function parseOptions<T>(parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new WrongAnswer('Use --username, --name, --email e --document.');
  }
}

/** The first line of standard input; a terminal is not asked, since it would show what is typed. */
async function readPassword(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  return text.split(/\r?\n/)[0] ?? '';
}

async function makeAdministrator(account: Parameters<typeof createAdministrator>[1]): Promise<void> {
  const config = readConfig(process.env);
  const database = await joinDatabase(config);
  const { ownerUrl, appUrl, appRole } = database;
  await migrate(appRole === undefined ? { ownerUrl } : { ownerUrl, appRole });
  const db = createDb(createPool({ url: appUrl, max: 1 }));
  try {
    const secrets = await openSecrets(config, db);
    await inTransaction({ db, clock: machineClock, secrets }, (tx) => createAdministrator(tx, account));
  } finally {
    await db.destroy();
    await database.close();
  }
}

try {
  await main();
} catch (error) {
  const expected = [WrongSetting, WrongAnswer, Refusal].some((kind) => error instanceof kind);
  process.stderr.write(`${expected && error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
