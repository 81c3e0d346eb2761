import { JangadaConnectionError, type JangadaError } from '../index.ts';

/** A message for the user, and the exit code: 1 the command failed, 2 it was typed wrong. */
export class CommandFailure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Explains a refusal or a missing response of the gateway to a terminal user, with advice on what to do. */
export function explain(error: JangadaError): string {
  const { code, message, requestId } = error;
  if (code === 'OUTCOME_UNKNOWN') return message;
  if (error instanceof JangadaConnectionError)
    return `${message} O gateway está no ar? Confira o endereço e a rede.`;
  const next = nextSteps[code];
  const reference = requestId === undefined ? '' : `, requestId ${requestId}`;
  return `${message}${next === undefined ? '' : ` ${next}`} (${code}${reference})`;
}

const newKey = 'Gere outra no painel, em Chaves de API, e entre com ela: jangada login';
const nextSteps: Readonly<Record<string, string>> = {
  INVALID_API_KEY: newKey,
  API_KEY_REQUIRED: newKey,
  API_KEY_INACTIVE: newKey,
  API_KEY_EXPIRED: newKey,
  KEY_SCOPE_MISSING:
    'Gere no painel, em Chaves de API, uma chave que o tenha, e entre com ela: jangada login',
  KEY_ADDRESS_NOT_ALLOWED: 'Inclua este endereço na lista da chave, no painel.',
  INSUFFICIENT_BALANCE: 'Receba antes: jangada trigger payment.paid --amount 100',
  EVENT_CURSOR_UNKNOWN: 'Veja os que há: jangada events',
  EVENT_NOT_FOUND: 'Veja os que há: jangada events',
};
