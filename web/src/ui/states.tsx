import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAnnouncement } from './announcement-region.tsx';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { Drawing, type DrawingName } from './drawing.tsx';

type StatePlacement = {
  /** The heading level of the title. */
  level?: 2 | 3;
  className?: string;
};

/**
 * Shown for a list or page without content: says what will appear here, and may offer the action that adds the first
 * entry.
 */
export function EmptyState({
  drawing,
  title,
  children,
  action,
  level = 2,
  className,
}: StatePlacement & { drawing: DrawingName; title: string; children?: ReactNode; action?: ReactNode }) {
  const Heading = level === 2 ? 'h2' : 'h3';
  // An empty search result replaces the rows while the focus stays in the search field, so it must be announced.
  useAnnouncement(drawing === 'no-result' ? title : undefined);
  return (
    <div className={classNames('flex flex-col items-center px-4 py-12 text-center', className)}>
      <Drawing name={drawing} />
      <Heading className="mt-5 text-base font-strong">{title}</Heading>
      {children !== undefined && <p className="mt-1 max-w-[45ch] text-balance text-muted">{children}</p>}
      {action !== undefined && <div className="mt-6">{action}</div>}
    </div>
  );
}

/**
 * Shown for a list or page that failed to load: says what failed, offers the button *Tentar Novamente*, and shows the
 * request id, which the user can quote to customer support.
 */
export function ErrorState({
  title,
  message,
  requestId,
  onRetry,
  isRetrying = false,
  level = 2,
  className,
}: StatePlacement & {
  title: string;
  message?: ReactNode;
  requestId?: string | null | undefined;
  onRetry: () => void;
  isRetrying?: boolean;
}) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <div role="alert" className={classNames('flex flex-col items-center px-4 py-12 text-center', className)}>
      <Drawing name="failed-to-load" />
      <Heading className="mt-5 text-base font-strong">{title}</Heading>
      {message !== undefined && <p className="mt-1 max-w-[45ch] text-balance text-muted">{message}</p>}
      <Button
        variant="primary"
        className="mt-6"
        isSending={isRetrying}
        icon={<RefreshCw className="size-4" strokeWidth={1.75} aria-hidden="true" />}
        onClick={onRetry}
      >
        Tentar Novamente
      </Button>
      {requestId != null && (
        <p className="mt-12 text-xs text-muted">
          Código do pedido <code className="font-mono">{requestId}</code>
        </p>
      )}
    </div>
  );
}
