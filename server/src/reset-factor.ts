// npm run admin:reset-factor -- --username NAME
// Takes the second factors from an account whose owner lost them, ends its sessions and holds its withdrawals for a day: the operator knows by other
// means who asks. It stands in the audit log, and the owner is told. Works beside a running gateway, and without one.
import { parseArgs } from 'node:util';
import { resetFactor } from './accounts/index.ts';
import { changeDatabase, runCommand, UsageError } from './run-command.ts';

async function main(): Promise<void> {
  const username = readUsername();
  await changeDatabase((tx) => resetFactor(tx, username));
  process.stdout.write(
    `Segundo fator de ${username} removido. As sessões foram encerradas, e os saques estão suspensos por 24 horas.\n`,
  );
}

function readUsername(): string {
  try {
    const { values } = parseArgs({ options: { username: { type: 'string' } } });
    if (values.username) return values.username;
  } catch {
    // Said below: what stands on the line is not what is asked for.
  }
  throw new UsageError('Use --username NOME.');
}

await runCommand(main);
