import { createTransport } from 'nodemailer';
import type { SmtpConfig } from '../config.ts';
import { assertNoOpenTransaction } from '../db/transaction.ts';

export type SmtpMail = {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
};

export type SendBySmtp = (mail: SmtpMail) => Promise<void>;

/** Thrown when the mail server did not accept a mail, or when it is unknown whether the server accepted it. */
export class SmtpFailure extends Error {
  override name = 'SmtpFailure';
  /** Consists of codes, such as `EENVELOPE RCPT TO 550`, and never contains text from the server. */
  readonly reason: string;
  /** True if retrying is pointless. */
  readonly isFinal: boolean;

  constructor(reason: string, isFinal: boolean) {
    super(`Mail was not sent: ${reason}`);
    this.reason = reason;
    this.isFinal = isFinal;
  }
}

/**
 * An address without quotes, brackets, comments and lists (RFC 5321, 4.1.2, dot-string). The mail library parses
 * addresses itself, and might send a mail for an address with any of these to somebody else.
 */
const plainAddress = /^[^\s\p{Cc}<>()[\]\\,:;"@]+@[^\s\p{Cc}<>()[\]\\,:;"@]+$/u;

/**
 * Returns a function that sends a mail over a connection of its own, which is aborted after `timeoutMs`. The function
 * throws SmtpFailure.
 */
export function createSmtp(config: SmtpConfig, { timeoutMs = 20_000 } = {}): SendBySmtp {
  const transport = createTransport(transportOptions(config));
  return async ({ id, recipient, subject, text }) => {
    assertNoOpenTransaction();
    if (!plainAddress.test(recipient)) throw new SmtpFailure('address', true);
    try {
      await transport.sendMail({
        messageId: `<${id}@${config.from.address.split('@')[1]}>`,
        from: config.from,
        to: { name: '', address: recipient },
        envelope: { from: config.from.address, to: [recipient] },
        subject,
        text,
        // RFC 3834: suppresses automatic replies.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch (error) {
      throw toSmtpFailure(error);
    }
  };
}

/** Requires TLS with a verified certificate, except for a server on this machine. */
export function transportOptions({ host, port, tls, login }: SmtpConfig) {
  return {
    host,
    port,
    secure: tls === 'first',
    requireTLS: tls === 'demanded',
    ignoreTLS: tls === 'none',
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 15_000,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(login && { auth: { user: login.user, pass: login.password } }),
  };
}

/**
 * Converts an error of the mail library. Only a rejected recipient is final; any other error may be temporary.
 */
function toSmtpFailure(error: unknown): SmtpFailure {
  const errorFields: Record<string, unknown> = error instanceof Error ? { ...error, name: error.name } : {};
  const { name, code = name, command, responseCode } = errorFields;
  const reason = [code, command, responseCode].filter((part) => part !== undefined).join(' ');
  return new SmtpFailure(reason, command === 'RCPT TO' && Number(responseCode) >= 500);
}
