import { type DestinationStream, type Logger, pino } from 'pino';

// Fields whose values must never appear in a log.
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
  // The code of a second factor. Other `code` fields, such as those of errors, stay readable.
  'body.code',
];

// The paths of the secret fields, at the first three levels of a logged object. A name with a hyphen must be in
// brackets.
const redact = secretFields.flatMap((name) =>
  ['', '*.', '*.*.'].map((path) =>
    name.includes('-') ? `${path.replace(/\.$/, '')}["${name}"]` : path + name,
  ),
);

/** JSON for machines; text for people, with warnings and errors only. */
export type LogFormat = 'json' | 'text';

export function createLogger(format: LogFormat, destination: DestinationStream = process.stdout): Logger {
  const level = format === 'text' ? 'warn' : 'info';
  const options = { level, base: null, redact, serializers: { err: errorFields } };
  return format === 'text'
    ? pino(options, { write: (line) => destination.write(toTextLine(line)) })
    : pino(options, destination);
}

/** The fields of an error to log. Attached objects are dropped, since database errors carry their whole connection. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return {
    type: error.name,
    message: error.message,
    ...(error.stack && { stack: error.stack }),
    ...('code' in error && { code: error.code }),
    ...(error.cause !== undefined && { cause: errorFields(error.cause) }),
  };
}

function toTextLine(line: string): string {
  const { time, level, msg, err, ...rest }: Record<string, unknown> = JSON.parse(line);
  const moment = new Date(Number(time)).toISOString().slice(11, 19);
  const levelName = pino.levels.labels[Number(level)] ?? '';
  const reason = isError(err) ? ` (${err.message})` : '';
  const details = Object.entries(rest).map(([name, value]) => `, ${name}: ${toText(value)}`);
  return `${moment} ${levelName.padEnd(5)} ${String(msg)}${reason}${details.join('')}\n`;
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toText).join(' ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => `${name}: ${toText(inner)}`)
    .join(', ');
}

function isError(value: unknown): value is { message: string } {
  return (
    typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
  );
}
