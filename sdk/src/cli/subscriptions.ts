import type { Cycle, Jangada, Subscription } from '../index.ts';
import { CommandFailure, USAGE_EXIT_CODE } from './failure.ts';
import { connectToGateway } from './gateway.ts';
import { oneId, oneOf, readArguments, readCount, readReais, requireOption } from './read-arguments.ts';
import { formatReais, paint, printLine, printToStderr } from './terminal.ts';

const periods = ['weekly', 'monthly', 'quarterly', 'semiannual', 'annual'] as const;
const authorizations = ['code', 'pay'] as const;
const statuses = ['waiting', 'active', 'past_due', 'ended'] as const;

/** Runs `jangada subscriptions`: lists, shows, creates or cancels subscriptions. */
export async function subscriptions(args: readonly string[]): Promise<void> {
  const [first, ...rest] = args;
  if (first === 'show') return showSubscription(rest);
  if (first === 'create') return createSubscription(rest);
  if (first === 'cancel') return cancelSubscription(rest);
  return listSubscriptions(first === 'list' ? rest : args);
}

async function listSubscriptions(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    status: { type: 'string' },
    search: { type: 'string' },
    customer: { type: 'string' },
    'external-id': { type: 'string' },
    limit: { type: 'string' },
    json: { type: 'boolean' },
  });
  if (positionals.length > 0)
    throw new CommandFailure(`subscriptions não entende ${positionals[0]}.`, USAGE_EXIT_CODE);
  const status = values.status === undefined ? undefined : oneOf('status', values.status, statuses);
  const limit = values.limit === undefined ? 20 : readCount('limit', values.limit);
  const { jangada } = await connectToGateway(values);
  const query = {
    status,
    search: values.search,
    customer_id: values.customer,
    external_id: values['external-id'],
    limit: Math.min(limit, 100),
  };
  let count = 0;
  for await (const subscription of jangada.subscriptions.listAll(query)) {
    printLine(values.json === true ? JSON.stringify(subscription) : formatSubscription(subscription));
    count += 1;
    if (count === limit) return;
  }
  if (count === 0) printToStderr('Nenhuma assinatura.');
}

async function showSubscription(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, { json: { type: 'boolean' } });
  const id = oneId(positionals, 'jangada subscriptions show ID');
  const { jangada } = await connectToGateway(values);
  await printSubscription(jangada, await jangada.subscriptions.get(id), values.json === true);
}

async function createSubscription(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    customer: { type: 'string' },
    name: { type: 'string' },
    document: { type: 'string' },
    description: { type: 'string' },
    amount: { type: 'string' },
    period: { type: 'string' },
    'first-day': { type: 'string' },
    'last-day': { type: 'string' },
    authorization: { type: 'string' },
    'external-id': { type: 'string' },
    json: { type: 'boolean' },
  });
  if (positionals.length > 0)
    throw new CommandFailure(`create não entende ${positionals[0]}.`, USAGE_EXIT_CODE);
  const description = requireOption('description', values.description);
  const first_day = requireOption('first-day', values['first-day']);
  const payer =
    values.customer === undefined
      ? {
          payer: {
            name: requireOption('name', values.name),
            document: requireOption('document', values.document),
          },
        }
      : { customer_id: values.customer };
  const amount = values.amount === undefined ? null : readReais(values.amount);
  const period = oneOf('period', values.period ?? 'monthly', periods);
  const authorization = oneOf('authorization', values.authorization ?? 'code', authorizations);
  const { jangada } = await connectToGateway(values);
  const created = await jangada.subscriptions.create({
    ...payer,
    ...{ description, amount, period, first_day, authorization },
    last_day: values['last-day'],
    external_id: values['external-id'],
  });
  await printSubscription(jangada, created, values.json === true);
}

async function cancelSubscription(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, { json: { type: 'boolean' } });
  const id = oneId(positionals, 'jangada subscriptions cancel ID');
  const { jangada } = await connectToGateway(values);
  const ended = await jangada.subscriptions.cancel(id);
  printLine(
    values.json === true ? JSON.stringify(ended, undefined, 2) : `Cancelada: ${formatSubscription(ended)}`,
  );
}

const statusTexts: Readonly<Record<Subscription['status'], string>> = {
  waiting: 'esperando',
  active: 'ativa',
  past_due: 'em atraso',
  ended: 'encerrada',
};

function formatSubscription({ id, status, amount, period, payer, description }: Subscription): string {
  const sum = amount === null ? 'variável' : formatReais(amount);
  return `${statusTexts[status].padEnd(9)}  ${sum.padStart(14)}  ${period.padEnd(10)}  ${id}  ${payer.name} (${description})`;
}

/** Prints a subscription with what is to be sent to the payer, and its newest cycles. */
async function printSubscription(
  jangada: Jangada,
  subscription: Subscription,
  isJson: boolean,
): Promise<void> {
  if (isJson) return printLine(JSON.stringify(subscription, undefined, 2));
  const { data } = await jangada.subscriptions.cycles(subscription.id, { limit: 12 });
  printLine(formatSubscription(subscription));
  printLine(`Para autorizar: ${subscription.page_url}`);
  if (subscription.code !== null) printLine(`Código: ${subscription.code}`);
  for (const cycle of data) printLine(formatCycle(cycle));
  if (data.length === 0) printToStderr(paint('dim', 'Nenhum ciclo ainda.', process.stderr));
}

function formatCycle({ number, debit_day, amount, status, reason, bank_reason }: Cycle): string {
  const sum = amount === null ? 'sem valor' : formatReais(amount);
  const why = [reason, bank_reason?.code].filter((text) => text != null).join(', ');
  return `${String(number).padStart(4)}  ${debit_day}  ${sum.padStart(14)}  ${status}${why === '' ? '' : ` (${why})`}`;
}
