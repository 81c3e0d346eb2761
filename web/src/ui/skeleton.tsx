import { type ReactNode, useEffect, useState } from 'react';
import { classNames } from './class-names.ts';
import { useLoadingVoice } from './loading-voice.tsx';

const APPEARS_AFTER_MS = 200;

/** True once 200 ms have passed since mounting: a skeleton that only flashes is worse than none. */
export function useAppearance(): boolean {
  const [isVisible, setIsVisible] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsVisible(true), APPEARS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isVisible;
}

/** A placeholder box; give it the size of the real content. Its space is reserved before it becomes visible. */
export function Skeleton({ className }: { className?: string }) {
  const isVisible = useAppearance();
  return (
    <span
      aria-hidden="true"
      className={classNames('block', isVisible ? 'skeleton' : 'invisible', className)}
    />
  );
}

/** A skeleton bar for a line of text; `line` is the class of the line height, e.g. `h-5`. */
export function SkeletonText({ line, className }: { line: string; className: string }) {
  return (
    <span className={classNames('flex items-center', line)}>
      <Skeleton className={className} />
    </span>
  );
}

/** Wraps skeletons: screen readers find the label here, and hear an announcement when loading takes long. */
export function LoadingRegion({ label = 'Carregando', children }: { label?: string; children: ReactNode }) {
  useLoadingVoice(true);
  return (
    <div aria-busy="true">
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}
