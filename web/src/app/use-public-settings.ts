import { useEffect, useState } from 'react';
import { apiBase } from '../api/base-address.ts';

/** What an entrance needs to know of the gateway. */
type Told = { readonly sandbox: boolean; readonly mail: boolean; readonly adminEmail: string | undefined };

/**
 * What the gateway says of itself, for the pages before the sign-in. Nothing waits for it: undefined until it has answered,
 * and where the provider does not say. Read by hand, as the reader of schemas is heavier than all else on these pages.
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
