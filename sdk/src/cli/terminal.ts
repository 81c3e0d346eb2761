import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandFailure } from './failure.ts';

type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow';
const codes: Readonly<Record<Colour, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 };

/** Returns the text in a colour if the stream is a terminal and colour is not disabled (no-color.org). */
export function paint(colour: Colour, text: string, stream: { isTTY?: boolean } = process.stdout): string {
  const isColoured = stream.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
  return isColoured ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;
}

/** Prints a command's result to stdout. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a message to stderr, so that programs that read stdout find only the result there. */
export function printToStderr(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Formats the local time of day. The text always has the same width, as a column needs. */
export function timeOfDay(at: Date): string {
  return at.toLocaleTimeString('pt-BR', { hour12: false });
}

/** Asks questions and reads the answers, at the terminal or from standard input. */
export type Prompt = {
  /** @returns the typed text, trimmed */
  ask(question: string, options?: { readonly hidden: boolean }): Promise<string>;
  close(): void;
};

/**
 * Asks questions at the terminal. Without a terminal, reads one answer per line. A hidden answer does not appear on the
 * screen as it is typed.
 */
export function createPrompt(): Prompt {
  const isTerminal = process.stdin.isTTY === true;
  let isHidden = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isHidden) process.stderr.write(chunk);
      done();
    },
  });
  const reader = createInterface({ input: process.stdin, output, terminal: isTerminal });
  const lines = reader[Symbol.asyncIterator]();
  return {
    async ask(question, options) {
      if (isTerminal) process.stderr.write(question);
      isHidden = options?.hidden === true;
      const { value, done } = await lines.next();
      if (isHidden && isTerminal) process.stderr.write('\n');
      isHidden = false;
      if (done === true) throw new CommandFailure('Nada foi respondido, e nada mudou.');
      return value.trim();
    },
    close: () => reader.close(),
  };
}

const brl = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

/** Formats an amount as `R$ 25,90`, with an ordinary space, so that a search for the text finds it. */
export function formatReais(reais: number): string {
  return brl.format(reais).replace('\u00a0', ' ');
}

/**
 * Returns a signal that Ctrl-C aborts, so that the command can end with a summary. A second Ctrl-C ends the process
 * immediately.
 */
export function createInterruptSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  return stop.signal;
}
