import type { Jangada } from '../index.ts';
import { CommandFailure, USAGE_EXIT_CODE } from './failure.ts';
import { connectToGateway } from './gateway.ts';
import { readArguments, readReais } from './read-arguments.ts';
import { payAtSandbox, requireSandbox } from './sandbox-bank.ts';
import { formatReais, printLine } from './terminal.ts';

/** Pays at the sandbox’s bank: a code, or the charge with the given id. */
export async function pay(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, { amount: { type: 'string' } });
  // A code may contain spaces, in the name of the merchant. If it was typed without quotes, the shell split it there.
  const text = positionals.join(' ').trim();
  if (text === '')
    throw new CommandFailure(
      "Diga o que pagar: jangada pay 'PIX COPIA E COLA', ou o id da cobrança.",
      USAGE_EXIT_CODE,
    );
  const amount = values.amount === undefined ? undefined : readReais(values.amount);
  const gateway = await connectToGateway(values);
  requireSandbox(gateway);
  const code = text.startsWith('000201') ? text : await findCode(gateway.jangada, text);
  const paid = await payAtSandbox(gateway, code, amount);
  printLine(`Pago: ${formatReais(paid.amount)} (${paid.endToEndId})`);
}

/** Bounds the search to the 2,000 newest charges. An older charge can still be paid with its code. */
const maxPages = 20;

/**
 * Finds the code of a charge. Only the list of charges contains codes, so the list is searched, newest charge first.
 */
async function findCode({ payments }: Jangada, id: string): Promise<string> {
  const { status } = await payments.get(id);
  let before: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { data, next } = await payments.list({ status, limit: 100, before });
    const found = data.find((payment) => payment.id === id);
    if (found !== undefined) return found.content;
    if (next === null) break;
    before = next;
  }
  throw new CommandFailure(
    'Esta cobrança é antiga demais para ser achada pelo id. Passe o copia e cola dela.',
  );
}
