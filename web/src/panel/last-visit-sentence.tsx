import type { ReactNode } from 'react';
import { dayOf, formatDateAtTime, formatTime } from '../format/date.ts';

/**
 * A sentence below a screen's title. While the screen shows what it showed on the last visit, says of which time that
 * is, in the place of the sentence.
 */
export function LastVisitSentence({ since, children }: { since: Date | undefined; children: ReactNode }) {
  if (since === undefined) return children;
  return (
    // The sentence keeps its place, so that nothing moves when it comes back.
    <span className="grid *:col-start-1 *:row-start-1">
      <span>{lastVisitInWords(since, new Date())}</span>
      <span className="invisible">{children}</span>
    </span>
  );
}

/** `Como estava às 14:32. Atualizando…` */
function lastVisitInWords(since: Date, now: Date): string {
  const moment = since.toISOString();
  const time = dayOf(since) === dayOf(now) ? `às ${formatTime(moment)}` : `em ${formatDateAtTime(moment)}`;
  return `Como estava ${time}. Atualizando…`;
}
