import { type DestinationStream, type Logger, pino } from 'pino';

// What must never stand in a log, wherever an object that is logged carries it.
const secretFields = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-step-up',
  'password',
  'pin',
  'withdrawal_pin',
  'new_pin',
  'confirm_pin',
  'current_password',
  'new_password',
  'token',
  'apiKey',
  'secret',
  'clientSecret',
  'secretKey',
  'challenge',
  'credential',
  'recovery_codes',
  // Of a second factor. Errors have codes that are to be read.
  'body.code',
];

const redact = secretFields.flatMap((name) =>
  ['', '*.', '*.*.'].map((path) =>
    name.includes('-') ? `${path.replace(/\.$/, '')}["${name}"]` : path + name,
  ),
);

/** JSON lines for machines; in a terminal only what somebody should read, as a line of text. */
export function createLogger(terminal: boolean, destination: DestinationStream = process.stdout): Logger {
  const options = { level: terminal ? 'warn' : 'info', base: null, redact, serializers: { err: facts } };
  return terminal
    ? pino(options, { write: (line) => destination.write(readable(line)) })
    : pino(options, destination);
}

/** What an error says, and nothing that hangs on it: those of the database carry their whole connection. */
function facts(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return {
    type: error.name,
    message: error.message,
    ...(error.stack && { stack: error.stack }),
    ...('code' in error && { code: error.code }),
    ...(error.cause !== undefined && { cause: facts(error.cause) }),
  };
}

function readable(line: string): string {
  const { time, level, msg, err, ...rest }: Record<string, unknown> = JSON.parse(line);
  const moment = new Date(Number(time)).toISOString().slice(11, 19);
  const word = pino.levels.labels[Number(level)] ?? '';
  const reason = isError(err) ? ` (${err.message})` : '';
  const facts = Object.keys(rest).length > 0 ? ` ${JSON.stringify(rest)}` : '';
  return `${moment} ${word.padEnd(5)} ${String(msg)}${reason}${facts}\n`;
}

function isError(value: unknown): value is { message: string } {
  return (
    typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
  );
}
