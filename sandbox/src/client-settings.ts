import type { Bank } from './bank.ts';

/** The credentials and addresses with which a client connects to an account. */
export interface ClientSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The API Pix with its version. */
  readonly baseUrl: string;
  readonly tokenUrl: string;
  /** The client certificate that the account demands, with its key, as PEM. */
  readonly certificate?: string;
  /** The authority of the certificate that the bank itself shows at these addresses, as PEM. */
  readonly authority?: string;
}

export function clientSettingsOf(bank: Bank): ClientSettings {
  const { clientId, clientSecret, certificate, authority, site } = bank;
  const url = certificate === undefined ? site.apiUrl : (site.mtlsUrl ?? site.apiUrl);
  const settings = { clientId, clientSecret, baseUrl: `${url}/v2`, tokenUrl: `${url}/oauth/token` };
  if (certificate === undefined) return settings;
  return { ...settings, certificate: certificate.pem, ...(authority && { authority: authority.cert }) };
}
