import type { EventsPage, EventType, FeedEvent, Jangada } from '../index.ts';
import { CommandFailure, USAGE_EXIT_CODE } from './failure.ts';
import { forward, readTarget } from './forward.ts';
import { connectToGateway, findNewestEventId } from './gateway.ts';
import { defaultProfile, findOrCreateListenSecret } from './profile.ts';
import { oneId, readArguments, readCount, readEventType } from './read-arguments.ts';
import { createInterruptSignal, formatReais, paint, printLine, printToStderr } from './terminal.ts';

/** Runs `jangada events`: shows the feed or one event, or sends one event again to the developer’s machine. */
export async function events(args: readonly string[]): Promise<void> {
  const [first, ...rest] = args;
  if (first === 'get') return getEvent(rest);
  if (first === 'resend') return resendEvent(rest);
  return listEvents(first === 'list' ? rest : args);
}

async function getEvent(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {});
  const id = oneId(positionals, 'jangada events get EVENT_ID');
  const { jangada } = await connectToGateway(values);
  printLine(JSON.stringify(await jangada.events.get(id), undefined, 2));
}

async function resendEvent(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    'forward-to': { type: 'string' },
    secret: { type: 'string' },
    'allow-public': { type: 'boolean' },
  });
  const id = oneId(positionals, 'jangada events resend EVENT_ID --forward-to URL');
  const url = await readTarget(values['forward-to'], values['allow-public'] === true);
  const secret = findOrCreateListenSecret(values.profile ?? defaultProfile, values.secret);
  const { jangada } = await connectToGateway(values);
  const event = await jangada.events.get(id);
  let outcome = '';
  const isAccepted = await forward(event, {
    url,
    secret,
    onAttempt: ({ status, problem }) => {
      outcome = `${status ?? problem}`;
    },
  });
  if (!isAccepted) throw new CommandFailure(`${url} não aceitou ${id}: ${outcome}.`);
  printLine(`${event.type} entregue a ${url}: ${outcome}`);
}

async function listEvents(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    after: { type: 'string' },
    type: { type: 'string' },
    limit: { type: 'string' },
    json: { type: 'boolean' },
    follow: { type: 'boolean', short: 'f' },
  });
  if (positionals.length > 0)
    throw new CommandFailure(`events não entende ${positionals[0]}.`, USAGE_EXIT_CODE);
  const type = values.type === undefined ? undefined : readEventType(values.type);
  const limit = values.limit === undefined ? 20 : readCount('limit', values.limit);
  const { jangada } = await connectToGateway(values);
  const printEvent = (event: FeedEvent) =>
    printLine(values.json === true ? JSON.stringify(event) : formatEvent(event));
  if (values.follow === true) {
    const after = values.after ?? (await findNewestEventId(jangada));
    const signal = createInterruptSignal();
    for await (const event of jangada.events.follow({ after, type, signal, intervalMs: 1000 }))
      printEvent(event);
    return;
  }
  const { after } = values;
  const { events: found, next } =
    after === undefined
      ? await readNewestEvents(jangada, type, limit)
      : await readEventsAfter(after, jangada, type, limit);
  for (const event of found) printEvent(event);
  if (found.length === 0) printToStderr('Nenhum evento.');
  if (next !== undefined)
    printToStderr(paint('dim', `Há mais: jangada events --after ${next}`, process.stderr));
}

/** The events to show. If the feed has more, `next` is the id of the last event shown, from which to continue. */
type FoundEvents = { readonly events: readonly FeedEvent[]; readonly next?: string | undefined };

/** Reads up to `limit` events that came after the event `after`. */
async function readEventsAfter(
  after: string,
  { events: feed }: Jangada,
  type: EventType | undefined,
  limit: number,
): Promise<FoundEvents> {
  const events: FeedEvent[] = [];
  for (let from: string | undefined = after; ; ) {
    const page: EventsPage = await feed.list({
      after: from,
      type,
      limit: Math.min(limit - events.length, 100),
    });
    events.push(...page.data);
    from = page.next ?? undefined;
    if (!page.has_more) return { events };
    if (events.length >= limit) return { events, next: from };
  }
}

/** The newest events are found only by reading the whole feed, so a feed with more events than this is refused. */
const maxEventsRead = 20_000;

/** Returns the newest events. The API lists the oldest events first, so all events are read to reach the newest. */
async function readNewestEvents(
  { events: feed }: Jangada,
  type: EventType | undefined,
  limit: number,
): Promise<FoundEvents> {
  const events: FeedEvent[] = [];
  let eventCount = 0;
  for await (const event of feed.listAll({ type })) {
    events.push(event);
    if (events.length > limit) events.shift();
    eventCount += 1;
    if (eventCount === maxEventsRead)
      throw new CommandFailure(
        `Há mais de ${maxEventsRead} eventos. Diga a partir de qual, com --after, ou acompanhe, com --follow.`,
      );
  }
  return { events };
}

function formatEvent({ id, type, created_at, data }: FeedEvent): string {
  const createdAt = new Date(created_at).toLocaleString('pt-BR', { hour12: false }).replace(',', '');
  return `${createdAt}  ${type.padEnd(18)}  ${amountOf(data).padStart(14)}  ${id}`;
}

/** Withdrawal amounts are in cents, all others in reais. */
function amountOf(data: FeedEvent['data']): string {
  if ('withdrawalId' in data) return formatReais(data.amount / 100);
  if ('refund' in data && data.refund) return formatReais(data.refund.amount);
  return formatReais('amount' in data ? data.amount : 0);
}
