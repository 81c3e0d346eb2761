import type { EventType, FeedEvent, Jangada } from '../index.ts';
import { CommandFailure } from './failure.ts';
import { forward, readTarget } from './forward.ts';
import { newestEvent, reachGateway } from './gateway.ts';
import { defaultProfile, listenSecret } from './profile.ts';
import { readArguments, readCount, readEventType } from './read-arguments.ts';
import { formatReais, mention, paint, say, untilInterrupted } from './terminal.ts';

/** Shows the feed or one event, or resends one to the developer’s machine. */
export async function events(args: readonly string[]): Promise<void> {
  const [first, ...rest] = args;
  if (first === 'get') return getEvent(rest);
  if (first === 'resend') return resendEvent(rest);
  return listEvents(first === 'list' ? rest : args);
}

async function getEvent(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {});
  const id = onlyId(positionals, 'jangada events get EVENT_ID');
  const { jangada } = await reachGateway(values);
  say(JSON.stringify(await jangada.events.get(id), undefined, 2));
}

async function resendEvent(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    'forward-to': { type: 'string' },
    secret: { type: 'string' },
    'allow-public': { type: 'boolean' },
  });
  const id = onlyId(positionals, 'jangada events resend EVENT_ID --forward-to URL');
  const url = await readTarget(values['forward-to'], values['allow-public'] === true);
  const secret = listenSecret(values.profile ?? defaultProfile, values.secret);
  const { jangada } = await reachGateway(values);
  const event = await jangada.events.get(id);
  let answer = '';
  const isTaken = await forward(event, {
    url,
    secret,
    onAttempt: ({ status, problem }) => {
      answer = `${status ?? problem}`;
    },
  });
  if (!isTaken) throw new CommandFailure(`${url} não aceitou ${id}: ${answer}.`);
  say(`${event.type} entregue a ${url}: ${answer}`);
}

async function listEvents(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    after: { type: 'string' },
    type: { type: 'string' },
    limit: { type: 'string' },
    json: { type: 'boolean' },
    follow: { type: 'boolean', short: 'f' },
  });
  if (positionals.length > 0) throw new CommandFailure(`events não entende ${positionals[0]}.`, 2);
  const type = values.type === undefined ? undefined : readEventType(values.type);
  const limit = values.limit === undefined ? 20 : readCount('limit', values.limit);
  const { jangada } = await reachGateway(values);
  const show = (event: FeedEvent) => say(values.json === true ? JSON.stringify(event) : rowOf(event));
  if (values.follow === true) {
    const after = values.after ?? (await newestEvent(jangada));
    const signal = untilInterrupted();
    for await (const event of jangada.events.follow({ after, type, signal, intervalMs: 1000 })) show(event);
    return;
  }
  const { found, next } = await (values.after === undefined ? newest : following)(jangada, {
    after: values.after,
    type,
    limit,
  });
  for (const event of found) show(event);
  if (found.length === 0) mention('Nenhum evento.');
  if (next !== undefined) mention(paint('dim', `Há mais: jangada events --after ${next}`, process.stderr));
}

type Wanted = {
  readonly after: string | undefined;
  readonly type: EventType | undefined;
  readonly limit: number;
};
type Found = { readonly found: readonly FeedEvent[]; readonly next?: string | undefined };

async function following({ events: feed }: Jangada, { after, type, limit }: Wanted): Promise<Found> {
  const found: FeedEvent[] = [];
  for (let from = after; ; ) {
    const page = await feed.list({ after: from, type, limit: Math.min(limit - found.length, 100) });
    found.push(...page.data);
    from = page.next ?? undefined;
    if (!page.has_more) return { found };
    if (found.length >= limit) return { found, next: from };
  }
}

const mostRead = 20_000;

/** Reads the feed from the start and keeps only its end. */
async function newest({ events: feed }: Jangada, { type, limit }: Wanted): Promise<Found> {
  const found: FeedEvent[] = [];
  let read = 0;
  for await (const event of feed.listAll({ type })) {
    found.push(event);
    if (found.length > limit) found.shift();
    read += 1;
    if (read === mostRead)
      throw new CommandFailure(
        `Há mais de ${mostRead} eventos. Diga a partir de qual, com --after, ou acompanhe, com --follow.`,
      );
  }
  return { found };
}

function rowOf({ id, type, created_at, data }: FeedEvent): string {
  const at = new Date(created_at).toLocaleString('pt-BR', { hour12: false }).replace(',', '');
  return `${at}  ${type.padEnd(18)}  ${amountOf(data).padStart(14)}  ${id}`;
}

/** Withdrawal amounts are in cents, all others in reais. */
function amountOf(data: FeedEvent['data']): string {
  if ('withdrawalId' in data) return formatReais(data.amount / 100);
  return formatReais(
    'refund' in data && data.refund ? data.refund.amount : 'amount' in data ? data.amount : 0,
  );
}

function onlyId(positionals: readonly string[], usage: string): string {
  const [id, ...more] = positionals;
  if (id === undefined || more.length > 0) throw new CommandFailure(`Use: ${usage}`, 2);
  return id;
}
