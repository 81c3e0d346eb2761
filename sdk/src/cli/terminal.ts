import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandFailure } from './failure.ts';

type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow';
const codes: Readonly<Record<Colour, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 };

/** @returns the text in a colour, where a person reads it and did not ask for none (no-color.org) */
export function paint(colour: Colour, text: string, stream: { isTTY?: boolean } = process.stdout): string {
  const wanted = stream.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
  return wanted ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;
}

/** What commands answer. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What is told beside an answer that another program may be reading. */
export function mention(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** A local time of day, for columns. */
export function timeOfDay(at: Date): string {
  return at.toLocaleTimeString('pt-BR', { hour12: false });
}

export type Questions = {
  /** @returns what was typed, without the blanks around it */
  ask(question: string, manner?: { readonly hidden: boolean }): Promise<string>;
  close(): void;
};

/** Asks at the terminal; without one, reads an answer a line. What is hidden is not shown while it is typed. */
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
