import { useEffect, useState } from 'react';
import { apiBase } from '../api/base-address.ts';

/** The gateway settings that an entry page needs. */
type EntrySettings = {
  readonly sandbox: boolean;
  readonly mail: boolean;
  readonly adminEmail: string | undefined;
};

/**
 * The gateway's public settings, for the pages before sign-in, which are shown without waiting for the settings.
 * Undefined until the response arrives, or if the gateway has no such call. The settings are parsed by hand, because
 * the schema library is larger than everything else on these pages.
 */
export function usePublicSettings(): EntrySettings | undefined {
  const [settings, setSettings] = useState<EntrySettings>();
  useEffect(() => {
    const request = new AbortController();
    fetchSettings(request.signal).then(setSettings, () => {});
    return () => request.abort();
  }, []);
  return settings;
}

async function fetchSettings(signal: AbortSignal): Promise<EntrySettings | undefined> {
  const response = await fetch(`${apiBase}/settings`, { signal, credentials: 'same-origin' });
  const settings: unknown = response.ok ? await response.json() : null;
  if (typeof settings !== 'object' || settings === null) return undefined;
  return {
    sandbox: 'sandbox' in settings && settings.sandbox === true,
    mail: 'mail' in settings && settings.mail === true,
    adminEmail:
      'adminEmail' in settings && typeof settings.adminEmail === 'string' ? settings.adminEmail : undefined,
  };
}
