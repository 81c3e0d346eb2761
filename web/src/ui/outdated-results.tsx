import type { ReactNode } from 'react';
import { useLoadingAnnouncement } from './announcement-region.tsx';
import { classNames } from './class-names.ts';

/**
 * Wraps results that may belong to an earlier query, such as the previous page of a list. While the results of the
 * current query load, the earlier ones are dimmed after a short delay, and marked as busy for screen readers.
 */
export function OutdatedResults({ when: isOutdated, children }: { when: boolean; children: ReactNode }) {
  useLoadingAnnouncement(isOutdated);
  return (
    <div
      aria-busy={isOutdated}
      className={classNames('transition-opacity duration-120', isOutdated && 'opacity-45 delay-150')}
    >
      {children}
    </div>
  );
}
