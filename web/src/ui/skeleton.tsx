import { type ReactNode, useEffect, useState } from 'react';
import { useLoadingAnnouncement } from './announcement-region.tsx';
import { classNames } from './class-names.ts';

const VISIBLE_AFTER_MS = 200;

/**
 * True once the component has been mounted for 200 ms. Content that arrives sooner gets no placeholder, because a
 * placeholder that only flashes is worse than none.
 */
export function useVisibleAfterDelay(): boolean {
  const [isVisible, setIsVisible] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsVisible(true), VISIBLE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isVisible;
}

/**
 * A placeholder for content that is loading. It must have the size of that content, and its space is reserved before it
 * becomes visible.
 */
export function Skeleton({ className }: { className?: string }) {
  const isVisible = useVisibleAfterDelay();
  return (
    <span
      aria-hidden="true"
      className={classNames('block', isVisible ? 'skeleton' : 'invisible', className)}
    />
  );
}

/** A placeholder bar for a line of text. `line` is the class for the height of that line, such as `h-5`. */
export function SkeletonText({ line, className }: { line: string; className: string }) {
  return (
    <span className={classNames('flex items-center', line)}>
      <Skeleton className={className} />
    </span>
  );
}

/**
 * Wraps the placeholders of content that is loading. Screen readers find the label here, and announce that content is
 * loading if that takes long.
 */
export function LoadingRegion({ label = 'Carregando', children }: { label?: string; children: ReactNode }) {
  useLoadingAnnouncement(true);
  return (
    <div aria-busy="true">
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}
