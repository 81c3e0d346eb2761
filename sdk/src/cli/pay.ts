import type { Jangada } from '../index.ts';
import { CommandFailure, MISTYPED_EXIT_CODE } from './failure.ts';
import { reachGateway } from './gateway.ts';
import { readArguments, readReais } from './read-arguments.ts';
import { payAtSandbox, requireSandbox } from './sandbox-bank.ts';
import { formatReais, printLine } from './terminal.ts';

/** Pays a code, or the charge with a given id, at the sandbox’s bank. */
export async function pay(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, { amount: { type: 'string' } });
  // A code may contain spaces (in the merchant's name), at which the shell splits a code typed without quotes.
  const text = positionals.join(' ').trim();
  if (text === '')
    throw new CommandFailure(
      "Diga o que pagar: jangada pay 'PIX COPIA E COLA', ou o id da cobrança.",
      MISTYPED_EXIT_CODE,
    );
  const amount = values.amount === undefined ? undefined : readReais(values.amount);
  const gateway = await reachGateway(values);
  requireSandbox(gateway);
  const code = text.startsWith('000201') ? text : await findCode(gateway.jangada, text);
  const paid = await payAtSandbox(gateway, code, amount);
  printLine(`Pago: ${formatReais(paid.amount)} (${paid.endToEndId})`);
}

const maxPages = 20;

/** A single charge is read without its code, so the code is searched for in the list of charges, newest first. */
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
