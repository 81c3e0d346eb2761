// npm run payouts -- status | stop "REASON" | resume "REASON"
// Shows whether payouts are running, stops or resumes them. Works with or without a running gateway, which applies the
// change from the next order on.
import { pino } from 'pino';
import { formatMomentForSentence } from './calendar-day.ts';
import type { Clock } from './clock.ts';
import { type Config, readConfig } from './config.ts';
import { createLiveBanks } from './connections/index.ts';
import { joinDatabase } from './db/open-database.ts';
import { createDb, createPool, type Db } from './db/pool.ts';
import { createFiles } from './files/index.ts';
import { loadSecrets } from './gateway/index.ts';
import { PLATFORM } from './ledger/index.ts';
import { formatBrl } from './payments/index.ts';
import { connectHouse } from './psp/index.ts';
import { runCommand, UsageError } from './run-command.ts';
import { clockOfCommand } from './sync-sandbox-clock.ts';
import { type PayoutState, readPayoutState, resumePayouts, stopPayouts } from './withdrawals/index.ts';

const usage = 'Use: npm run payouts -- status | stop "motivo" | resume "motivo"';

async function main([command, ...words]: readonly string[]): Promise<void> {
  const reason = words.join(' ').trim();
  const isKnownCommand = ['status', 'stop', 'resume'].includes(command ?? '');
  const lacksReason = command !== 'status' && reason === '';
  if (!isKnownCommand || lacksReason) throw new UsageError(usage);
  const config = readConfig(process.env);
  const database = await joinDatabase(config);
  const db = createDb(createPool({ url: database.appUrl, max: 2 }));
  try {
    const clock = await clockOfCommand(config);
    if (command === 'stop')
      await stopPayouts({ db, clock, log, secrets: await loadSecrets(config, db) }, PLATFORM, reason);
    if (command === 'resume') await resume(config, db, clock, reason);
    await printState(db);
  } finally {
    await db.destroy();
    await database.close();
  }
}

/** The operations log nothing, because this command prints its result. */
const log = pino({ level: 'silent' });

async function resume(config: Config, db: Db, clock: Clock, reason: string): Promise<void> {
  const secrets = await loadSecrets(config, db);
  const banks = createLiveBanks(connectHouse(config), { db, secrets, config, log });
  try {
    await banks.refresh();
    const files = createFiles({ config, secrets });
    await resumePayouts({ config, db, clock, log, secrets, banks, files }, PLATFORM, reason);
  } finally {
    await banks.close();
  }
}

async function printState(db: Db): Promise<void> {
  const state = await readPayoutState(db);
  const { stoppedBecause, waiting, inDoubt } = state;
  const lines = [
    stoppedBecause === null ? 'Os saques estão saindo.' : `Os saques estão parados: ${stoppedBecause}`,
    `Na fila: ${waiting}. Em dúvida: ${inDoubt}.`,
    formatBankBalance(state),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function formatBankBalance({ balanceCents, neededCents, readAt, bankReportsBalance }: PayoutState): string {
  if (balanceCents === null || neededCents === null || readAt === null)
    return 'Saldo no banco: o banco não informou.';
  const since = bankReportsBalance ? '' : ', e desde então o banco não informa';
  return `Saldo no banco: ${formatBrl(balanceCents)} em ${formatMomentForSentence(readAt)}${since}; dos lojistas: ${formatBrl(neededCents)}.`;
}

await runCommand(() => main(process.argv.slice(2)));
