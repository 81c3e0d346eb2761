import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { Button, Notice } from '../../ui/index.ts';

/** True when somebody changed it after it was opened. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'STALE_VERSION';
}

/** Warns that the edits are based on an outdated version, with a button that refetches it. */
export function StaleNotice({ children, onReload }: { children: string; onReload: () => Promise<unknown> }) {
  const [reloading, setReloading] = useState(false);
  const reload = async () => {
    setReloading(true);
    await onReload().finally(() => setReloading(false));
  };
  return (
    <Notice
      tone="error"
      action={
        <Button size="small" sending={reloading} sendingWord="Carregando" onClick={reload}>
          Recarregar
        </Button>
      }
    >
      {children}
    </Notice>
  );
}
