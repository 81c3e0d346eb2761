import { readFileSync } from 'node:fs';
import { CommandFailure, USAGE_EXIT_CODE } from './failure.ts';
import { connectToGateway } from './gateway.ts';
import { readArguments } from './read-arguments.ts';
import { printLine } from './terminal.ts';

/** Explains why the signature of a received webhook does not verify. Exits with 1 unless the webhook is valid. */
export async function doctor(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    headers: { type: 'string' },
    body: { type: 'string' },
    endpoint: { type: 'string' },
    computed: { type: 'string' },
  });
  const { endpoint, computed } = values;
  if (positionals.length > 0)
    throw new CommandFailure(`doctor não entende ${positionals[0]}.`, USAGE_EXIT_CODE);
  if (values.headers === undefined || values.body === undefined)
    throw new CommandFailure(
      'Diga em que arquivos está o que chegou: jangada doctor --headers CABEÇALHOS --body CORPO',
      USAGE_EXIT_CODE,
    );
  const question = {
    headers: readTextFile(values.headers),
    body: readTextFile(values.body),
    endpoint,
    computed,
  };
  const { jangada } = await connectToGateway(values);
  const { ok, findings } = await jangada.webhookEndpoints.doctor(question);
  printLine(ok ? 'O webhook passa na verificação.' : 'O webhook não passa na verificação.');
  for (const { message, hint } of findings) printLine(`  ${message}\n  ${hint}`);
  if (!ok) process.exitCode = 1;
}

/** Reads a file untrimmed, because the signature covers every byte of the body. */
function readTextFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new CommandFailure(`O arquivo ${file} não pode ser lido.`, USAGE_EXIT_CODE);
  }
}
