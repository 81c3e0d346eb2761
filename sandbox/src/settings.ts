import { readFileSync } from 'node:fs';
import type { SandboxOptions } from './start-sandbox.ts';

/** An invalid setting, named in the message. The bank does not start with it. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads SANDBOX_HOST, SANDBOX_PORT, SANDBOX_DATA_DIR, SANDBOX_PUBLIC_URL, SANDBOX_CLIENT_ID, SANDBOX_CLIENT_SECRET,
 * and for mutual TLS SANDBOX_TLS_PORT, SANDBOX_TLS_CERT, SANDBOX_TLS_KEY, SANDBOX_TLS_CA (PEM files).
 * SANDBOX_MTLS_PORT is the port for accounts that demand a client certificate of the bank's own authority.
 * When the bank calls webhooks, it presents SANDBOX_NOTIFY_CERT with SANDBOX_NOTIFY_KEY, and trusts SANDBOX_NOTIFY_CA.
 * Throws `SettingError`.
 */
export function readSettings(env: Environment): SandboxOptions {
  return {
    dataDir: env['SANDBOX_DATA_DIR'] ?? './data/sandbox',
    host: env['SANDBOX_HOST'] ?? '127.0.0.1',
    port: readPort(env, 'SANDBOX_PORT', 3001),
    ...readText(env, 'SANDBOX_CLIENT_ID', 'clientId'),
    ...readText(env, 'SANDBOX_CLIENT_SECRET', 'clientSecret'),
    ...readPublicUrl(env),
    ...readMtls(env),
    ...readApiTls(env),
    ...readNotifyTls(env),
  };
}

function readPort(env: Environment, name: string, fallback: number): number {
  const text = env[name];
  if (text === undefined) return fallback;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new SettingError(`${name} must be a port from 0 to 65535`);
}

function readText<K extends string>(env: Environment, name: string, option: K): { [key in K]?: string } {
  const text = env[name];
  if (text === '') throw new SettingError(`${name} must not be empty`);
  const unset: { [key in K]?: string } = {};
  return text === undefined ? unset : { ...unset, [option]: text };
}

function readPublicUrl(env: Environment): { publicUrl?: string } {
  const publicUrl = env['SANDBOX_PUBLIC_URL'];
  if (publicUrl === undefined) return {};
  if (!URL.canParse(publicUrl) || !/^https?:\/\/[^/?#]+\/?$/.test(publicUrl)) {
    throw new SettingError('SANDBOX_PUBLIC_URL must be http(s)://host:port without a path');
  }
  return { publicUrl };
}

function readApiTls(env: Environment): Pick<SandboxOptions, 'apiTls'> {
  const cert = readFileOf(env, 'SANDBOX_TLS_CERT');
  const key = readFileOf(env, 'SANDBOX_TLS_KEY');
  const ca = readFileOf(env, 'SANDBOX_TLS_CA');
  if (cert === undefined && key === undefined && ca === undefined) return {};
  if (cert === undefined || key === undefined || ca === undefined) {
    throw new SettingError('SANDBOX_TLS_CERT, SANDBOX_TLS_KEY and SANDBOX_TLS_CA come together');
  }
  return { apiTls: { cert, key, ca, port: readPort(env, 'SANDBOX_TLS_PORT', 3443) } };
}

function readMtls(env: Environment): Pick<SandboxOptions, 'mtls'> {
  if (env['SANDBOX_MTLS_PORT'] === undefined) return {};
  if (env['SANDBOX_TLS_CERT'] !== undefined)
    throw new SettingError('SANDBOX_MTLS_PORT cannot be set together with SANDBOX_TLS_CERT');
  return { mtls: { port: readPort(env, 'SANDBOX_MTLS_PORT', 0) } };
}

function readNotifyTls(env: Environment): Pick<SandboxOptions, 'notifications'> {
  const cert = readFileOf(env, 'SANDBOX_NOTIFY_CERT');
  const key = readFileOf(env, 'SANDBOX_NOTIFY_KEY');
  const ca = readFileOf(env, 'SANDBOX_NOTIFY_CA');
  if (cert === undefined && key === undefined && ca === undefined) return {};
  const tls = { ...(cert && { cert }), ...(key && { key }), ...(ca && { ca }) };
  return { notifications: { tls } };
}

function readFileOf(env: Environment, name: string): string | undefined {
  const path = env[name];
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new SettingError(`${name} must name a file that can be read`);
  }
}
