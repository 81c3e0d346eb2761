import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { EventType } from '../index.ts';
import { CommandFailure, USAGE_EXIT_CODE } from './failure.ts';

/** Options accepted by every command. */
const commonOptions = {
  profile: { type: 'string' },
} as const;

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * Parses the arguments of a command. Throws CommandFailure if an option is unknown, if it lacks its value, or if it has
 * a value and takes none.
 */
export function readArguments<const Own extends Options>(args: readonly string[], options: Own) {
  try {
    return parseArgs({ args: [...args], options: { ...commonOptions, ...options }, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node tells these errors apart only by their texts, such as "Unknown option '--limite'. To specify …" and
    // "Option '--limit <value>' argument missing".
    const option = /'(-[^' ]*)/.exec(error.message)?.[1] ?? '';
    const isUnknown = error.message.startsWith('Unknown');
    throw new CommandFailure(
      isUnknown ? `Opção desconhecida: ${option}.` : `Valor inválido ou ausente na opção ${option}.`,
      USAGE_EXIT_CODE,
    );
  }
}

/** Parses an amount in reais as typed: 25, 25.90 or 25,90. */
export function readReais(text: string): number {
  if (!/^\d{1,9}([.,]\d{1,2})?$/.test(text))
    throw new CommandFailure(
      `--amount: informe o valor em reais, como 25.90, e não ${text}.`,
      USAGE_EXIT_CODE,
    );
  return Number(text.replace(',', '.'));
}

export function readCount(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new CommandFailure(`--${name}: informe um número a partir de 1, e não ${text}.`, USAGE_EXIT_CODE);
  return Number(text);
}

/** The value of an option that a command cannot do without. */
export function requireOption(name: string, value: string | undefined): string {
  if (value === undefined || value.trim() === '')
    throw new CommandFailure(`Falta --${name}.`, USAGE_EXIT_CODE);
  return value;
}

/** Parses an option that takes one of a few words. */
export function oneOf<const Word extends string>(name: string, text: string, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === text);
  if (word === undefined)
    throw new CommandFailure(`--${name}: use ${words.join(', ')}, e não ${text}.`, USAGE_EXIT_CODE);
  return word;
}

/** The id that a command takes as its only word. */
export function oneId(positionals: readonly string[], usage: string): string {
  const [id, ...more] = positionals;
  if (id === undefined || more.length > 0) throw new CommandFailure(`Use: ${usage}`, USAGE_EXIT_CODE);
  return id;
}

/** A record instead of a list, so that the compiler reports a missing type of event. */
const eventTypes: Readonly<Record<EventType, true>> = {
  'payment.paid': true,
  'payment.expired': true,
  'payment.error': true,
  'payment.refunded': true,
  'refund.failed': true,
  'withdrawal.pending': true,
  'withdrawal.paid': true,
  'withdrawal.error': true,
  'dispute.opened': true,
  'dispute.closed': true,
  'connection.broken': true,
  'connection.restored': true,
  'fee_statement.closed': true,
  'fee_statement.paid': true,
  'mandate.approved': true,
  'mandate.rejected': true,
  'mandate.cancelled': true,
  'mandate.expired': true,
  'cycle.planned': true,
  'cycle.scheduled': true,
  'cycle.retrying': true,
  'cycle.paid': true,
  'cycle.given_up': true,
  'cycle.cancelled': true,
  'subscription.past_due': true,
  'subscription.recovered': true,
  'subscription.ended': true,
  'batch.completed': true,
  'pix.held': true,
  'pix.given_back': true,
};

export function readEventType(text: string): EventType {
  if (isEventType(text)) return text;
  const all = Object.keys(eventTypes).join(', ');
  throw new CommandFailure(`Tipo de evento desconhecido: ${text}. Tipos aceitos: ${all}.`, USAGE_EXIT_CODE);
}

function isEventType(text: string): text is EventType {
  return Object.hasOwn(eventTypes, text);
}
