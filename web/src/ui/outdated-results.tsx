import type { ReactNode } from 'react';
import { useLoadingAnnouncement } from './announcement-region.tsx';
import { classNames } from './class-names.ts';

/**
 * Wraps results that may belong to an earlier query. `when` is true while the results of the current query load. The
 * earlier results are then dimmed after a short delay, and marked as busy for screen readers.
 */
export function OutdatedResults({ when, children }: { when: boolean; children: ReactNode }) {
  useLoadingAnnouncement(when);
  return (
    <div
      aria-busy={when}
      className={classNames('transition-opacity duration-120', when && 'opacity-45 delay-150')}
    >
      {children}
    </div>
  );
}
