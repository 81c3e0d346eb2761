// npm run admin:reset-factor -- --username NAME
// Removes the second factors of an account whose owner lost them, ends its sessions and holds its withdrawals for a
// day. The operator must verify the owner's identity by other means. The reset is audited, and the owner is notified.
// Works with or without a running gateway.
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
    // Reported below: the command line is invalid.
  }
  throw new UsageError('Use --username NOME.');
}

await runCommand(main);
