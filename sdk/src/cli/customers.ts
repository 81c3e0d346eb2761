import type { Customer } from '../index.ts';
import { CommandFailure, USAGE_EXIT_CODE } from './failure.ts';
import { connectToGateway } from './gateway.ts';
import { oneId, readArguments, readCount, requireOption } from './read-arguments.ts';
import { formatReais, printLine, printToStderr } from './terminal.ts';

/** Runs `jangada customers`: lists, shows, registers or archives customers. */
export async function customers(args: readonly string[]): Promise<void> {
  const [first, ...rest] = args;
  if (first === 'show') return showCustomer(rest);
  if (first === 'create') return createCustomer(rest);
  if (first === 'archive') return archiveCustomer(rest);
  return listCustomers(first === 'list' ? rest : args);
}

async function listCustomers(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    search: { type: 'string' },
    'external-id': { type: 'string' },
    archived: { type: 'boolean' },
    limit: { type: 'string' },
    json: { type: 'boolean' },
  });
  if (positionals.length > 0)
    throw new CommandFailure(`customers não entende ${positionals[0]}.`, USAGE_EXIT_CODE);
  const limit = values.limit === undefined ? 20 : readCount('limit', values.limit);
  const { jangada } = await connectToGateway(values);
  let count = 0;
  for await (const customer of jangada.customers.listAll({
    search: values.search,
    external_id: values['external-id'],
    status: values.archived === true ? 'archived' : 'active',
    limit: Math.min(limit, 100),
  })) {
    printLine(values.json === true ? JSON.stringify(customer) : formatCustomer(customer));
    count += 1;
    if (count === limit) return;
  }
  if (count === 0) printToStderr('Nenhum cliente.');
}

async function showCustomer(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, { json: { type: 'boolean' } });
  const id = oneId(positionals, 'jangada customers show ID');
  const { jangada } = await connectToGateway(values);
  const customer = await jangada.customers.get(id);
  if (values.json === true) return printLine(JSON.stringify(customer, undefined, 2));
  printLine(formatCustomer(customer));
  if (customer.page_url !== null) printLine(`Página: ${customer.page_url}`);
  const { totals } = customer;
  if (totals !== null)
    printLine(
      `Em aberto: ${formatReais(totals.open.amount)}; vencido: ${formatReais(totals.overdue.amount)}; pago: ${formatReais(totals.paid.amount)}`,
    );
}

async function createCustomer(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    name: { type: 'string' },
    document: { type: 'string' },
    email: { type: 'string' },
    phone: { type: 'string' },
    note: { type: 'string' },
    'external-id': { type: 'string' },
    json: { type: 'boolean' },
  });
  if (positionals.length > 0)
    throw new CommandFailure(`create não entende ${positionals[0]}.`, USAGE_EXIT_CODE);
  const name = requireOption('name', values.name);
  const document = requireOption('document', values.document);
  const { jangada } = await connectToGateway(values);
  const { email, phone, note } = values;
  const external_id = values['external-id'];
  const created = await jangada.customers.create({ name, document, email, phone, note, external_id });
  printLine(values.json === true ? JSON.stringify(created, undefined, 2) : formatCustomer(created));
}

async function archiveCustomer(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, { json: { type: 'boolean' } });
  const id = oneId(positionals, 'jangada customers archive ID');
  const { jangada } = await connectToGateway(values);
  const { name, document, email, phone, address, note, external_id, version } =
    await jangada.customers.get(id);
  const body = { name, document, email, phone, address, note, external_id, version, archived: true };
  const archived = await jangada.customers.update(id, body);
  printLine(
    values.json === true ? JSON.stringify(archived, undefined, 2) : `Arquivado: ${formatCustomer(archived)}`,
  );
}

function formatCustomer({ id, name, document, email }: Customer): string {
  return `${id}  ${document.padEnd(18)}  ${name}${email === null ? '' : ` <${email}>`}`;
}
