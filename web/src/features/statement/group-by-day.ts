import type { StatementLineModel } from '@jangada/contract';
import { dayOf } from '../../format/date.ts';

export type Day = {
  day: string;
  lines: StatementLineModel[];
  /** The balance at the end of the day; null when the lines include no balance. */
  balanceCents: number | null;
};

/** Lines, newest first, by their calendar day. */
export function groupByDay(lines: readonly StatementLineModel[]): Day[] {
  const days: Day[] = [];
  for (const line of lines) {
    const day = dayOf(new Date(line.at));
    const last = days.at(-1);
    if (last?.day === day) last.lines.push(line);
    else days.push({ day, lines: [line], balanceCents: line.balanceCents });
  }
  return days;
}
