import { useEffect, useState } from 'react';
import { apiBase } from '../api/base-address.ts';

/** The gateway settings that an entry page needs. */
type Told = { readonly sandbox: boolean; readonly mail: boolean; readonly adminEmail: string | undefined };

/**
 * The gateway's public settings, for the pages before sign-in. Nothing waits for them: undefined until the response
 * arrives, and when the provider has none. Parsed by hand, because the schema library outweighs everything else on
 * these pages.
 */
export function usePublicSettings(): Told | undefined {
  const [settings, setSettings] = useState<Told>();
  useEffect(() => {
    const asked = new AbortController();
    ask(asked.signal).then(setSettings, () => {});
    return () => asked.abort();
  }, []);
  return settings;
}

async function ask(signal: AbortSignal): Promise<Told | undefined> {
  const response = await fetch(`${apiBase}/settings`, { signal, credentials: 'same-origin' });
  const told: unknown = response.ok ? await response.json() : null;
  if (typeof told !== 'object' || told === null) return undefined;
  return {
    sandbox: 'sandbox' in told && told.sandbox === true,
    mail: 'mail' in told && told.mail === true,
    adminEmail: 'adminEmail' in told && typeof told.adminEmail === 'string' ? told.adminEmail : undefined,
  };
}
