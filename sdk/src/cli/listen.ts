import type { Attempt, FeedEvent } from '../index.ts';
import { CommandFailure, USAGE_EXIT_CODE } from './failure.ts';
import { type ForwardAttempt, forward, readTarget } from './forward.ts';
import { connectToGateway, findNewestEventId, type GatewayConnection } from './gateway.ts';
import { defaultProfile, findOrCreateListenSecret } from './profile.ts';
import { readArguments, readEventType } from './read-arguments.ts';
import { createInterruptSignal, paint, printLine, printToStderr, timeOfDay } from './terminal.ts';

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
  if (positionals.length > 0)
    throw new CommandFailure(`listen não entende ${positionals[0]}.`, USAGE_EXIT_CODE);
  const profile = values.profile ?? defaultProfile;
  if (values['print-secret']) return printLine(findOrCreateListenSecret(profile, values.secret));
  const types = values.events?.split(',').map((text) => readEventType(text.trim()));
  const url = await readTarget(values['forward-to'], values['allow-public'] === true);
  const secret = findOrCreateListenSecret(profile, values.secret);
  const isForProgram = values['print-json'] === true;
  // With --print-json, stdout carries only events, and messages to people go to stderr.
  const print = isForProgram ? printToStderr : printLine;
  const gateway = await connectToGateway(values, createConnectionReporter());
  const since = values.since ?? 'now';
  const startAfter = since === 'now' ? await findNewestEventId(gateway.jangada) : since;
  printIntroduction(gateway, { url, secret: values.secret === undefined ? secret : undefined }, print);

  const counts = { accepted: 0, refused: 0 };
  let lastEventId = startAfter;
  const signal = createInterruptSignal();
  // The feed can select only one type, so several types are selected below.
  const type = types?.length === 1 ? types[0] : undefined;
  for await (const event of gateway.jangada.events.follow({
    after: startAfter,
    type,
    intervalMs: 1000,
    signal,
  })) {
    if (types === undefined || types.includes(event.type)) {
      if (isForProgram) printLine(JSON.stringify(event));
      const onAttempt = (attempt: ForwardAttempt) => print(formatAttempt(event, attempt));
      const isAccepted = await forward(event, { url, secret, signal, onAttempt });
      if (signal.aborted && !isAccepted) break;
      if (!isAccepted) print(paint('dim', `          Para enviar de novo: ${resendCommand(event, url)}`));
      counts[isAccepted ? 'accepted' : 'refused'] += 1;
    }
    lastEventId = event.id;
  }
  print(`\n${formatSummary(counts)}`);
  if (lastEventId !== undefined)
    print(`Para continuar daqui: jangada listen --since ${lastEventId} --forward-to ${url}`);
}

function printIntroduction(
  { url, bankUrl, profile }: GatewayConnection,
  receiver: { readonly url: string; readonly secret: string | undefined },
  print: (text: string) => void,
): void {
  const money = bankUrl === undefined ? paint('yellow', 'dinheiro de verdade') : 'sandbox';
  print(`Jangada em ${url} (${money}), perfil ${profile}`);
  if (receiver.secret !== undefined) print(`Segredo dos webhooks: ${paint('bold', receiver.secret)}`);
  print(`Encaminhando para ${receiver.url}. Ctrl-C encerra.\n`);
}

function formatAttempt(
  event: FeedEvent,
  { status, problem, durationMs, isAccepted, willRetry }: ForwardAttempt,
): string {
  const response = `${status ?? problem}`.padEnd(15);
  const duration = `${durationMs} ms`.padStart(8);
  const outcome = isAccepted ? event.id : `${event.id}  ${willRetry ? 'tentando de novo' : 'não entregue'}`;
  const failureColour = willRetry ? 'yellow' : 'red';
  const colour = isAccepted ? 'green' : failureColour;
  return `${timeOfDay(new Date())}  ${event.type.padEnd(18)}  ${paint(colour, response)}  ${duration}  ${outcome}`;
}

function resendCommand({ id }: FeedEvent, url: string): string {
  return `jangada events resend ${id} --forward-to ${url}`;
}

function formatSummary({
  accepted,
  refused,
}: {
  readonly accepted: number;
  readonly refused: number;
}): string {
  const delivered = accepted === 1 ? '1 evento entregue' : `${accepted} eventos entregues`;
  const missing = refused === 1 ? '1 não entregue' : `${refused} não entregues`;
  return refused === 0 ? `${delivered}.` : `${delivered}, ${missing}.`;
}

/**
 * Returns a listener to attempts that reports once when the gateway stops responding, and once when it responds again.
 */
function createConnectionReporter(): (attempt: Attempt) => void {
  let isDisconnected = false;
  return ({ status, errorCode }) => {
    const hasFailed =
      errorCode !== undefined && (status === undefined || status >= 500) && errorCode !== 'ABORTED';
    if (hasFailed && !isDisconnected)
      printToStderr(paint('yellow', 'Sem conexão com o gateway. Tentando de novo…', process.stderr));
    if (!hasFailed && isDisconnected)
      printToStderr(paint('green', 'Conexão de volta. Nada se perdeu.', process.stderr));
    isDisconnected = hasFailed;
  };
}
