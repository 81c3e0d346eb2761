import type { Bank } from './bank.ts';

/** What a client needs to connect to an account. */
export interface ClientSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The API Pix with its version. */
  readonly baseUrl: string;
  readonly tokenUrl: string;
}

export function clientSettingsOf({ clientId, clientSecret, site }: Bank): ClientSettings {
  const { apiUrl } = site;
  return { clientId, clientSecret, baseUrl: `${apiUrl}/v2`, tokenUrl: `${apiUrl}/oauth/token` };
}
