import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { useLoadingVoice } from './loading-voice.tsx';

/**
 * Wraps results of an earlier query while the current one loads: they are dimmed, unless the response is immediate, and
 * assistive technology learns that they are out of date.
 */
export function Superseded({ when, children }: { when: boolean; children: ReactNode }) {
  useLoadingVoice(when);
  return (
    <div
      aria-busy={when}
      className={classNames('transition-opacity duration-120', when && 'opacity-45 delay-150')}
    >
      {children}
    </div>
  );
}
