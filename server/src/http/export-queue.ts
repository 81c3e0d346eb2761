import { Refusal } from '../refusal.ts';
import { createWorkQueue, type WorkQueue } from '../work-queue.ts';
import { FileResponse } from './file-response.ts';

type ExportedFile = Pick<FileResponse, 'contentType' | 'fileName'> & {
  readonly content: AsyncIterable<string>;
};

/** Starts a merchant's export. `openFile` runs as soon as it is the export's turn. */
export type ExportQueue = (
  merchantId: number,
  openFile: () => Promise<ExportedFile>,
) => Promise<FileResponse>;

/**
 * Creates a queue for files that are read from the database while they are sent. At most `parallel` exports read at the
 * same time, and each reads one piece of its file per turn. An export takes no turn while its client receives a piece,
 * so slow clients block no other merchant. A merchant's second export at the same time is refused with OVERLOADED.
 */
export function createExportQueue(parallel: number): ExportQueue {
  const busyMerchants = new Set<number>();
  // Every merchant has at most one export, so the queue needs no limit of its own.
  const takeTurn = createWorkQueue({ parallel, waiting: Number.POSITIVE_INFINITY });
  return async (merchantId, openFile) => {
    if (busyMerchants.has(merchantId)) throw new Refusal('OVERLOADED', { retryAfterSeconds: 10 });
    busyMerchants.add(merchantId);
    const endExport = () => void busyMerchants.delete(merchantId);
    try {
      const file = await takeTurn(openFile);
      return new FileResponse({ ...file, content: readInTurns(file.content, takeTurn), onEnd: endExport });
    } catch (error) {
      endExport();
      throw error;
    }
  };
}

async function* readInTurns(content: AsyncIterable<string>, takeTurn: WorkQueue): AsyncGenerator<string> {
  const pieces = content[Symbol.asyncIterator]();
  try {
    for (;;) {
      const piece = await takeTurn(() => pieces.next());
      if (piece.done === true) return;
      yield piece.value;
    }
  } finally {
    await pieces.return?.();
  }
}
