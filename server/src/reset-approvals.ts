// npm run approvals:reset -- ACCOUNT --reason "REASON"
// Takes the approval policy of an account off, in which too few people are left who can approve: a merchant's, by number
// or username, or the operator's own (0). Connects as the owner of the database, because the application may not do this.
// Money that leaves the account is held for three days, what waits for approval is cancelled, and everybody is told.
// Works with or without a running gateway.
import { parseArgs } from 'node:util';
import { resetApprovals } from './accounts/index.ts';
import { orderHooks } from './order-hooks.ts';
import { changeDatabase, runCommand, UsageError } from './run-command.ts';

async function main(): Promise<void> {
  const request = readArguments();
  let done: Awaited<ReturnType<typeof resetApprovals>> | undefined;
  await changeDatabase(
    async (tx) => {
      done = await resetApprovals(tx, orderHooks, request);
    },
    { as: 'owner' },
  );
  process.stdout.write(
    `Política de aprovação da conta ${done?.merchantId} desligada. Pedidos cancelados: ${done?.endedCount}.${done?.merchantId === 0 ? '' : ' Os saques estão suspensos por 72 horas.'}\n`,
  );
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: { reason: { type: 'string' } },
      allowPositionals: true,
    });
    const [account, ...others] = positionals;
    const reason = values.reason?.trim();
    if (account && others.length === 0 && reason) return { account, reason };
  } catch {
    // Reported below: the command line is invalid.
  }
  throw new UsageError('Use: npm run approvals:reset -- NÚMERO ou USUÁRIO --reason "MOTIVO"');
}

await runCommand(main);
