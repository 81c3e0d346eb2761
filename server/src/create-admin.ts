// npm run admin:create -- --username NAME --name "FULL NAME" --email ADDRESS --document CPF-OR-CNPJ
// Creates an administrator and prompts for missing values. The password is read from standard input, or generated and
// printed once. Works with or without a running gateway.
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { registration } from '@jangada/contract';
import { normalizeDocument } from '@jangada/pix';
import { createAdministrator } from './admin/index.ts';
import { hashPassword, refuseWeakPassword } from './identity/index.ts';
import { changeDatabase, runCommand, UsageError } from './run-command.ts';

const questions = {
  username: 'Nome de usuário',
  name: 'Nome completo',
  email: 'E-mail',
  document: 'CPF ou CNPJ',
} as const;
const fields = ['username', 'name', 'email', 'document'] as const;

async function main(): Promise<void> {
  const answers = await readAnswers();
  const typedPassword = process.stdin.isTTY ? '' : await readPassword();
  const password = typedPassword === '' ? randomBytes(15).toString('base64url') : typedPassword;
  // A CPF has 11 characters, a CNPJ 14.
  const isCpf = normalizeDocument(answers.document).length === 11;
  const parsed = registration.safeParse({ ...answers, password, doctype: isCpf ? 'cpf' : 'cnpj' });
  if (!parsed.success) throw new UsageError(parsed.error.issues[0]?.message);
  refuseWeakPassword(password, parsed.data);
  const passwordHash = await hashPassword(password);
  const docType = isCpf ? 'CPF' : 'CNPJ';
  await changeDatabase((tx) => createAdministrator(tx, { ...parsed.data, docType, passwordHash }));
  process.stdout.write(`Administrador ${parsed.data.username} criado.\n`);
  if (typedPassword === '') process.stdout.write(`Senha: ${password}\n`);
}

async function readAnswers(): Promise<Record<(typeof fields)[number], string>> {
  const textOption = { type: 'string' } as const;
  const options = { username: textOption, name: textOption, email: textOption, document: textOption };
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
    throw new UsageError('Use --username, --name, --email e --document.');
  }
}

/** Reads the first line of standard input. Not called for a terminal, which would echo the password. */
async function readPassword(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin) text += chunk;
  return text.split(/\r?\n/)[0] ?? '';
}

await runCommand(main);
