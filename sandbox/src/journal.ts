import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Lines that are written together; `written` resolves when they are on disk. */
interface Batch {
  readonly lines: string[];
  readonly written: Promise<void>;
  readonly settle: { resolve: () => void; reject: (reason: unknown) => void };
}

export interface JournalOptions {
  /** False only in tests: writes are then not forced to disk, and a crash of the machine may lose acknowledged data. */
  readonly durable?: boolean | undefined;
}

/**
 * An append-only file of JSON lines. A crash may leave an incomplete last line, which counts as never written. Lines
 * that are appended at the same time share one write and one fdatasync (group commit).
 */
export class Journal {
  readonly #file: FileHandle;
  readonly #durable: boolean;
  /** The batch that collects new lines. */
  #gathering: Batch | undefined;
  /** Set while batches are being written. Resolves when none is left. */
  #running: Promise<void> | undefined;
  /** The batch being written. */
  #writing: Batch | undefined;
  #failure: Error | undefined;

  private constructor(file: FileHandle, durable: boolean) {
    this.#file = file;
    this.#durable = durable;
  }

  /** Opens or creates the file, passes the value of each line to `replay`, and cuts off an incomplete last line. */
  static async open(
    path: string,
    replay: (value: unknown) => void,
    { durable = true }: JournalOptions = {},
  ): Promise<Journal> {
    const file = await open(path, 'a+', 0o600);
    const content = await readFile(path);
    const completeLength = content.lastIndexOf(0x0a) + 1;
    let from = 0;
    while (from < completeLength) {
      const to = content.indexOf(0x0a, from);
      replay(JSON.parse(content.toString('utf8', from, to)));
      from = to + 1;
    }
    if (completeLength < content.length) {
      await file.truncate(completeLength);
      await file.datasync();
    }
    if (durable) await syncDirectory(path);
    return new Journal(file, durable);
  }

  /**
   * Replaces the content of the file by these values, one a line. A crash leaves either the old file or the new one.
   * The file must not be open as a journal.
   */
  static async rewrite(path: string, values: Iterable<unknown>): Promise<void> {
    const temporary = `${path}.tmp`;
    const file = await open(temporary, 'w', 0o600);
    let chunk: string[] = [];
    for (const value of values) {
      if (chunk.push(`${JSON.stringify(value)}\n`) < 1000) continue;
      await file.appendFile(chunk.join(''));
      chunk = [];
    }
    await file.appendFile(chunk.join(''));
    await file.sync();
    await file.close();
    await rename(temporary, path);
    await syncDirectory(path);
  }

  /** Resolves when the value is on disk. */
  append(value: unknown): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#gathering ??= newBatch();
    this.#gathering.lines.push(`${JSON.stringify(value)}\n`);
    const { written } = this.#gathering;
    this.#running ??= this.#writeBatches();
    return written;
  }

  /**
   * Resolves when all values appended so far are on disk. Until then a crash may undo them, so no response may show
   * them.
   */
  untilDurable(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return this.#gathering?.written ?? this.#writing?.written ?? Promise.resolve();
  }

  async close(): Promise<void> {
    await this.#running;
    await this.#file.close();
  }

  async #writeBatches(): Promise<void> {
    // The first write waits one turn of the event loop, so that requests that arrived together share it.
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (let batch = this.#takeBatch(); batch !== undefined; batch = this.#takeBatch()) {
      try {
        await this.#file.appendFile(batch.lines.join(''));
        if (this.#durable) await this.#file.datasync();
        batch.settle.resolve();
      } catch (error) {
        this.#failure = new Error('The journal cannot be written', { cause: error });
        batch.settle.reject(this.#failure);
        this.#gathering?.settle.reject(this.#failure);
        this.#gathering = undefined;
      }
    }
    this.#running = undefined;
  }

  #takeBatch(): Batch | undefined {
    this.#writing = this.#gathering;
    this.#gathering = undefined;
    return this.#writing;
  }
}

function newBatch(): Batch {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Callers of `append` see a failure by awaiting `written`. If none of them awaits it, this handler keeps the
  // unhandled rejection from ending the process.
  promise.catch(() => undefined);
  return { lines: [], written: promise, settle: { resolve, reject } };
}

/** A new or renamed file is durable only once its directory is synced. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(dirname(path), 'r');
  await directory.sync();
  await directory.close();
}
