import { readFileSync } from 'node:fs';
import { doctor } from './doctor.ts';
import { events } from './events.ts';
import { helpOf } from './help.ts';
import { listen } from './listen.ts';
import { login, logout } from './login.ts';
import { pay } from './pay.ts';
import { say } from './terminal.ts';
import { trigger } from './trigger.ts';

const commands = new Map<string, (args: readonly string[]) => Promise<void>>(
  Object.entries({ login, logout, listen, trigger, pay, events, doctor }),
);

/** Runs the command typed after `jangada`. Throws CommandFailure with the message to show. */
export async function run([command, ...args]: readonly string[]): Promise<void> {
  if (command === '--version' || command === '-v') return say(version());
  if (command === undefined || ['help', '--help', '-h'].includes(command)) return say(helpOf(args[0]));
  const work = commands.get(command);
  if (work === undefined || args.includes('--help') || args.includes('-h')) return say(helpOf(command));
  await work(args);
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
