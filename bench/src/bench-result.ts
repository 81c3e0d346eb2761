import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `saved`: the bench stored its figures in `results/`. `preview`: the command's options asked for a run that stores
 * nothing. A bench that should store its figures but cannot throws an error.
 */
export type BenchOutcome = 'saved' | 'preview';

/** The result of a bench's small form: counts rather than times, so that the result is the same on every machine. */
export type Counts = Readonly<Record<string, number>>;

/**
 * The machine of the measurements. `loadAverage` covers the last minute. If it is above the number of cores, something
 * else ran on the machine.
 */
export type Machine = {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGib: number;
  readonly platform: string;
  readonly node: string;
  readonly loadAverage: number;
};

export function thisMachine(): Machine {
  const processors = cpus();
  return {
    processor: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    loadAverage: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}

/** Stores a bench's latest figures in `results/NAME.json`. Older figures are in the repository's history. */
export function saveResult(name: string, result: object): void {
  const file = fileURLToPath(new URL(`../results/${name}.json`, import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ bench: name, measuredAt: new Date(), ...result }, null, 2)}\n`);
}
