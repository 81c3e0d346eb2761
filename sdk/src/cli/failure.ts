import { JangadaConnectionError, type JangadaError } from '../index.ts';

/** The exit code for a command that was typed wrong. A command that fails for another reason exits with 1. */
export const USAGE_EXIT_CODE = 2;

/** The failure of a command: a message for the user, and the exit code. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: 1 | typeof USAGE_EXIT_CODE;

  constructor(message: string, exitCode: 1 | typeof USAGE_EXIT_CODE = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Explains to the user of the terminal why a call failed, and what to do about it. */
export function explainError(error: JangadaError): string {
  const { code, message, requestId } = error;
  if (code === 'OUTCOME_UNKNOWN') return message;
  if (error instanceof JangadaConnectionError)
    return `${message} O gateway está no ar? Confira o endereço e a rede.`;
  const advice = adviceByCode[code];
  const reference = requestId === undefined ? '' : `, requestId ${requestId}`;
  return `${message}${advice === undefined ? '' : ` ${advice}`} (${code}${reference})`;
}

const newKeyAdvice = 'Gere outra no painel, em Chaves de API, e entre com ela: jangada login';
const adviceByCode: Readonly<Record<string, string>> = {
  INVALID_API_KEY: newKeyAdvice,
  API_KEY_REQUIRED: newKeyAdvice,
  API_KEY_INACTIVE: newKeyAdvice,
  API_KEY_EXPIRED: newKeyAdvice,
  KEY_SCOPE_MISSING:
    'Gere no painel, em Chaves de API, uma chave que o tenha, e entre com ela: jangada login',
  KEY_ADDRESS_NOT_ALLOWED: 'Inclua este endereço na lista da chave, no painel.',
  INSUFFICIENT_BALANCE: 'Receba antes: jangada trigger payment.paid --amount 100',
  EVENT_CURSOR_UNKNOWN: 'Veja os que há: jangada events',
  EVENT_NOT_FOUND: 'Veja os que há: jangada events',
};
