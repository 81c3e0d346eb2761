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

/** The server did not take a mail, or nobody knows whether it did. */
export class SmtpRefusal extends Error {
  override name = 'SmtpRefusal';
  /** Codes, such as `EENVELOPE RCPT TO 550`: nothing that a server wrote. */
  readonly reason: string;
  /** It will never take it. */
  readonly isFinal: boolean;

  constructor(reason: string, isFinal: boolean) {
    super(`Mail was not sent: ${reason}`);
    this.reason = reason;
    this.isFinal = isFinal;
  }
}

/** Without quotes, brackets, comments and lists (RFC 5321, 4.1.2, dot-string): what reads such would change it. */
const plainAddress = /^[^\s\p{Cc}<>()[\]\\,:;"@]+@[^\s\p{Cc}<>()[\]\\,:;"@]+$/u;

/** Sends mails over a connection each, and gives up on one that takes longer. Throws SmtpRefusal. */
export function createSmtp(config: SmtpConfig, { longestMs = 20_000 } = {}): SendBySmtp {
  const transport = createTransport(transportOptions(config));
  return async ({ id, recipient, subject, text }) => {
    assertNoOpenTransaction();
    if (!plainAddress.test(recipient)) throw new SmtpRefusal('address', true);
    try {
      await transport.sendMail({
        messageId: `<${id}@${config.from.address.split('@')[1]}>`,
        from: config.from,
        to: { name: '', address: recipient },
        envelope: { from: config.from.address, to: [recipient] },
        subject,
        text,
        // RFC 3834: nobody's absence note answers.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(longestMs),
      });
    } catch (error) {
      throw refusalOf(error);
    }
  };
}

/** TLS is demanded, and its certificate verified, but for a server on this machine. */
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

/** A recipient that the server does not know will not be known tomorrow; everything else may be put right. */
function refusalOf(error: unknown): SmtpRefusal {
  const facts: Record<string, unknown> = error instanceof Error ? { ...error, name: error.name } : {};
  const { name, code = name, command, responseCode } = facts;
  const reason = [code, command, responseCode].filter((part) => part !== undefined).join(' ');
  return new SmtpRefusal(reason, command === 'RCPT TO' && Number(responseCode) >= 500);
}
