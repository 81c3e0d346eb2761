import { publicSettings } from '@jangada/contract';
import { FlaskConical } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import { Tag } from '../../ui/status-badge.tsx';

/**
 * Says on the prerendered pages that no money is real, once the gateway has said so. Nothing waits for it, and it
 * stands where nothing moves when it comes.
 */
export function PublicSandboxSign() {
  const [sandbox, setSandbox] = useState(false);
  useEffect(() => {
    const asked = new AbortController();
    call(publicSettings, { signal: asked.signal }).then(
      (settings) => setSandbox(settings.sandbox),
      // A provider that does not say has real money.
      () => {},
    );
    return () => asked.abort();
  }, []);
  if (!sandbox) return null;
  return (
    <span className="flex items-center gap-2.5">
      <Tag icon={<FlaskConical className="size-3.5" strokeWidth={1.75} aria-hidden="true" />}>Sandbox</Tag>
      <span className="text-xs text-muted">Dinheiro de teste</span>
    </span>
  );
}
