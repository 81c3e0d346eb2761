import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { useLoadingVoice } from './loading-voice.tsx';

/**
 * Around what answers an earlier question while the answer to the present one is under way: it steps back, unless that comes at once,
 * and assistive technology is told that it is not what was asked for.
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
