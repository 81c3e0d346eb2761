import { RefreshCw } from 'lucide-react';
import { Button, IconButton, Spinner } from './button.tsx';
import { useIsNarrow } from './use-media-query.ts';

/** The button that refetches the data of a page. On phones it is an icon beside the main action. */
export function RefreshButton({ isRefreshing, onRefresh }: { isRefreshing: boolean; onRefresh: () => void }) {
  const icon = isRefreshing ? (
    <Spinner />
  ) : (
    <RefreshCw className="size-4" strokeWidth={1.75} aria-hidden="true" />
  );
  const press = () => {
    if (!isRefreshing) onRefresh();
  };
  return useIsNarrow() ? (
    <IconButton variant="line" label="Atualizar" aria-busy={isRefreshing} icon={icon} onClick={press} />
  ) : (
    <Button aria-busy={isRefreshing} icon={icon} onClick={press}>
      Atualizar
    </Button>
  );
}
