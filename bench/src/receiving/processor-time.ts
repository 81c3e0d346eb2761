import { readFileSync } from 'node:fs';

// Linux counts processor time in hundredths of a second (USER_HZ), on every platform that Node runs on.
const ticksPerSecond = 100;

/** Processor seconds used so far by a process and its children, including those that ended. */
export function processorSeconds(pid: number): number {
  return ownSeconds(pid) + childrenOf(pid).reduce((sum, child) => sum + processorSeconds(child), 0);
}

/** proc(5): utime and stime, then those of children that were waited for. */
function ownSeconds(pid: number): number {
  const stat = readOr(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / ticksPerSecond;
}

function childrenOf(pid: number): number[] {
  const text = readOr(`/proc/${pid}/task/${pid}/children`).trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** A process may end while it is being read. */
function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
