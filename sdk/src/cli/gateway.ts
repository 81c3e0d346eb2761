import { type Attempt, Jangada } from '../index.ts';
import { CommandFailure, USAGE_EXIT_CODE } from './failure.ts';
import { defaultProfile, readProfile } from './profile.ts';

/** The gateway to which a command is connected. */
export type GatewayConnection = {
  readonly profile: string;
  readonly url: string;
  readonly jangada: Jangada;
  /** The sandbox's bank; undefined if the gateway moves real money. */
  readonly bankUrl: string | undefined;
};

export type GatewayAccess = { readonly url: string; readonly key: string };

/** Connects to the gateway that the environment names, or else to the gateway of a profile. */
export async function connectToGateway(
  { profile = defaultProfile }: { readonly profile?: string | undefined },
  onAttempt?: (attempt: Attempt) => void,
): Promise<GatewayConnection> {
  const { url, key } = readAccess(profile);
  const { bankUrl } = await readSettings(url);
  return { profile, url, bankUrl, jangada: createClient({ url, key }, onAttempt) };
}

/** Creates a client that retries only once, because a person waits at the terminal for the result. */
export function createClient({ url, key }: GatewayAccess, onAttempt?: (attempt: Attempt) => void): Jangada {
  return new Jangada({ baseUrl: url, apiKey: key, maxRetries: 1, onAttempt });
}

/**
 * Reads the address and the key. The environment takes precedence over the profile, but a stored key is sent only to
 * the gateway for which it was stored.
 */
function readAccess(profile: string): GatewayAccess {
  const { JANGADA_URL: environmentUrl, JANGADA_API_KEY: environmentKey } = process.env;
  const stored = readProfile(profile);
  const url = environmentUrl ? readUrl(environmentUrl) : stored?.url;
  const key = environmentKey || stored?.key;
  const login = `jangada login${profile === defaultProfile ? '' : ` --profile ${profile}`}`;
  if (url === undefined || key === undefined)
    throw new CommandFailure(
      `Você ainda não entrou. Entre com: ${login} (ou defina JANGADA_URL e JANGADA_API_KEY)`,
    );
  if (!environmentKey && url !== stored?.url)
    throw new CommandFailure(
      `A chave guardada é de ${stored?.url}. Defina também JANGADA_API_KEY, ou entre: ${login}`,
    );
  return { url, key };
}

/** Parses an address as typed: with or without a scheme, with or without /api. */
export function readUrl(text: string): string {
  const isThisMachine = /^(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(text);
  const address = text.includes('://') ? text : `${isThisMachine ? 'http' : 'https'}://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw new CommandFailure(
      `${text} não é um endereço de gateway, como https://pix.example.com.`,
      USAGE_EXIT_CODE,
    );
  return `${url.origin}${url.pathname.replace(/\/(api\/?)?$/, '')}`;
}

/** Reads the gateway's public settings. `bankUrl` is undefined if the gateway moves real money. */
export async function readSettings(url: string): Promise<{ readonly bankUrl: string | undefined }> {
  const response = await fetch(`${url}/api/settings`, { redirect: 'manual' }).catch(() => undefined);
  if (response === undefined)
    throw new CommandFailure(
      `Não houve resposta de ${url}. O gateway está no ar? Confira o endereço e a rede.`,
    );
  const settings: unknown = await response.json().catch(() => undefined);
  if (!response.ok || typeof settings !== 'object' || settings === null || !('sandbox' in settings))
    throw new CommandFailure(
      `O que responde em ${url} não é uma Jangada (${response.status}). Confira o endereço.`,
    );
  const bankUrl =
    'bankUrl' in settings && typeof settings.bankUrl === 'string' ? settings.bankUrl : undefined;
  return { bankUrl: settings.sandbox === true ? bankUrl : undefined };
}

/** @returns the id of the newest event, so that reading can start after it; undefined if there is none */
export async function findNewestEventId({ events }: Jangada): Promise<string | undefined> {
  // The API lists the oldest events first, so the search goes to the end of the feed. It asks only for a very rare
  // type: such a page passes over many events of other types, so few pages lead to the end.
  for (let after: string | undefined; ; ) {
    const page = await events.list({ after, type: 'payment.error', limit: 100 });
    after = page.next ?? after;
    if (!page.has_more) return after;
  }
}
