import { publicSettings, type ResponseOf } from '@jangada/contract';
import { useEffect, useState } from 'react';
import { call } from '../api/client.ts';

/**
 * What the gateway says of itself, for pages that stand outside the app's cache. Nothing waits for it: undefined until
 * it has answered, and where the provider does not say.
 */
export function usePublicSettings(): ResponseOf<typeof publicSettings> | undefined {
  const [settings, setSettings] = useState<ResponseOf<typeof publicSettings>>();
  useEffect(() => {
    const asked = new AbortController();
    call(publicSettings, { signal: asked.signal }).then(setSettings, () => {});
    return () => asked.abort();
  }, []);
  return settings;
}
