import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandFailure } from './failure.ts';

type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow';
const codes: Readonly<Record<Colour, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 };

/** @returns the text in a colour if the stream is a terminal and colour is not disabled (no-color.org) */
export function paint(colour: Colour, text: string, stream: { isTTY?: boolean } = process.stdout): string {
  const wanted = stream.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
  return wanted ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;
}

/** Prints a command's result to stdout. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a message to stderr, so that a program reading the result from stdout is not disturbed. */
export function mention(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Local time of day, for columns. */
export function timeOfDay(at: Date): string {
  return at.toLocaleTimeString('pt-BR', { hour12: false });
}

export type Questions = {
  /** @returns the typed text, trimmed */
  ask(question: string, manner?: { readonly hidden: boolean }): Promise<string>;
  close(): void;
};

/** Asks at the terminal; without one, reads one answer per line. Hidden answers are not echoed. */
export function questions(): Questions {
  const terminal = process.stdin.isTTY === true;
  let hidden = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!hidden) process.stderr.write(chunk);
      done();
    },
  });
  const reader = createInterface({ input: process.stdin, output, terminal });
  const lines = reader[Symbol.asyncIterator]();
  return {
    async ask(question, manner) {
      if (terminal) process.stderr.write(question);
      hidden = manner?.hidden === true;
      const { value, done } = await lines.next();
      if (hidden && terminal) process.stderr.write('\n');
      hidden = false;
      if (done === true) throw new CommandFailure('Nada foi respondido, e nada mudou.');
      return value.trim();
    },
    close: () => reader.close(),
  };
}

const brl = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

/** `R$ 25,90`, with an ordinary space, which every terminal and search handles. */
export function formatReais(reais: number): string {
  return brl.format(reais).replace('\u00a0', ' ');
}

/**
 * @returns a signal aborted by Ctrl-C, so that running work can finish with a summary; a second Ctrl-C exits at once
 */
export function untilInterrupted(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  return stop.signal;
}
