import type { Attempt, FeedEvent } from '../index.ts';
import { CommandFailure } from './failure.ts';
import { type ForwardAttempt, forward, readTarget } from './forward.ts';
import { type GatewayConnection, newestEvent, reachGateway } from './gateway.ts';
import { defaultProfile, listenSecret } from './profile.ts';
import { readArguments, readEventType } from './read-arguments.ts';
import { mention, paint, say, timeOfDay, untilInterrupted } from './terminal.ts';

/** Forwards each new event to the developer’s machine, as the webhook that the gateway would send. */
export async function listen(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    'forward-to': { type: 'string' },
    events: { type: 'string' },
    since: { type: 'string' },
    secret: { type: 'string' },
    'print-secret': { type: 'boolean' },
    'print-json': { type: 'boolean' },
    'allow-public': { type: 'boolean' },
  });
  if (positionals.length > 0) throw new CommandFailure(`listen não entende ${positionals[0]}.`, 2);
  const profile = values.profile ?? defaultProfile;
  if (values['print-secret']) return say(listenSecret(profile, values.secret));
  const types = values.events?.split(',').map((text) => readEventType(text.trim()));
  const url = await readTarget(values['forward-to'], values['allow-public'] === true);
  const secret = listenSecret(profile, values.secret);
  const isForProgram = values['print-json'] === true;
  const tell = isForProgram ? mention : say;
  const gateway = await reachGateway(values, tellConnection());
  const since = values.since ?? 'now';
  const start = since === 'now' ? await newestEvent(gateway.jangada) : since;
  introduce(gateway, { url, secret: values.secret === undefined ? secret : undefined }, tell);

  const counts = { taken: 0, refused: 0 };
  let last = start;
  const signal = untilInterrupted();
  const [only, ...more] = types ?? [];
  const type = more.length === 0 ? only : undefined;
  for await (const event of gateway.jangada.events.follow({ after: start, type, intervalMs: 1000, signal })) {
    if (types === undefined || types.includes(event.type)) {
      if (isForProgram) say(JSON.stringify(event));
      const onAttempt = (attempt: ForwardAttempt) => tell(rowOf(event, attempt));
      const isTaken = await forward(event, { url, secret, signal, onAttempt });
      if (signal.aborted && !isTaken) break;
      if (!isTaken) tell(paint('dim', `          Para enviar de novo: ${resendCommand(event, url)}`));
      counts[isTaken ? 'taken' : 'refused'] += 1;
    }
    last = event.id;
  }
  tell(`\n${summaryOf(counts)}`);
  if (last !== undefined) tell(`Para continuar daqui: jangada listen --since ${last} --forward-to ${url}`);
}

function introduce(
  { url, bankUrl, profile }: GatewayConnection,
  receiver: { readonly url: string; readonly secret: string | undefined },
  tell: (text: string) => void,
): void {
  const money = bankUrl === undefined ? paint('yellow', 'dinheiro de verdade') : 'sandbox';
  tell(`Jangada em ${url} (${money}), perfil ${profile}`);
  if (receiver.secret !== undefined) tell(`Segredo dos webhooks: ${paint('bold', receiver.secret)}`);
  tell(`Encaminhando para ${receiver.url}. Ctrl-C encerra.\n`);
}

function rowOf(
  event: FeedEvent,
  { status, problem, durationMs, isTaken, willRepeat }: ForwardAttempt,
): string {
  const answer = `${status ?? problem}`.padEnd(15);
  const duration = `${durationMs} ms`.padStart(8);
  const outcome = isTaken ? event.id : `${event.id}  ${willRepeat ? 'tentando de novo' : 'não entregue'}`;
  const colour = isTaken ? 'green' : willRepeat ? 'yellow' : 'red';
  return `${timeOfDay(new Date())}  ${event.type.padEnd(18)}  ${paint(colour, answer)}  ${duration}  ${outcome}`;
}

function resendCommand({ id }: FeedEvent, url: string): string {
  return `jangada events resend ${id} --forward-to ${url}`;
}

function summaryOf({ taken, refused }: { readonly taken: number; readonly refused: number }): string {
  const delivered = taken === 1 ? '1 evento entregue' : `${taken} eventos entregues`;
  const missing = refused === 1 ? '1 não entregue' : `${refused} não entregues`;
  return refused === 0 ? `${delivered}.` : `${delivered}, ${missing}.`;
}

/** Reports once when the gateway becomes unreachable, and once when it is back. */
function tellConnection(): (attempt: Attempt) => void {
  let isAway = false;
  return ({ status, errorCode }) => {
    const fails =
      errorCode !== undefined && (status === undefined || status >= 500) && errorCode !== 'ABORTED';
    if (fails && !isAway)
      mention(paint('yellow', 'Sem conexão com o gateway. Tentando de novo…', process.stderr));
    if (!fails && isAway) mention(paint('green', 'Conexão de volta. Nada se perdeu.', process.stderr));
    isAway = fails;
  };
}
