import { readFileSync } from 'node:fs';

// Linux counts processor time in hundredths of a second (USER_HZ), on every platform that Node runs on.
const ticksPerSecond = 100;

/** Returns the processor seconds used so far by a process and its children, including children that ended. */
export function processorSeconds(pid: number): number {
  return ownSeconds(pid) + childrenOf(pid).reduce((sum, child) => sum + processorSeconds(child), 0);
}

/**
 * Sums four fields of /proc/PID/stat (proc(5)): utime and stime of the process, and utime and stime of its children
 * that ended and were waited for. The fields are counted from the end of the program's name, since the name may contain
 * spaces.
 */
function ownSeconds(pid: number): number {
  const stat = readIfPresent(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / ticksPerSecond;
}

function childrenOf(pid: number): number[] {
  const text = readIfPresent(`/proc/${pid}/task/${pid}/children`).trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** Reads a file, or returns an empty text: a process may end while its files are read. */
function readIfPresent(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
