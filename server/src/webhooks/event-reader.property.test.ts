import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventReader, isBefore, type Position } from './event-reader.ts';

/** A log whose transactions commit in any order; what is not committed is not seen. */
type Log = { readonly events: readonly { id: string; position: Position; isWanted: boolean }[] };

/** Each transaction has a few events; the order of commits is a permutation of the transactions. */
const logs: fc.Arbitrary<Log & { commits: number[] }> = fc
  .array(fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 })
  .chain((transactions) => {
    const events = transactions.flatMap((wanted, tx) =>
      wanted.map((isWanted, seq) => ({
        id: `${tx}-${seq}`,
        position: [1, tx + 1, seq + 1] as const,
        isWanted,
      })),
    );
    return fc
      .shuffledSubarray(
        transactions.map((_, tx) => tx + 1),
        { minLength: transactions.length },
      )
      .map((commits) => ({ events, commits }));
  });

test('each wanted event is taken once, whatever the order of commits, and the cursor never passes an unfinished one', () => {
  fc.assert(
    fc.property(
      logs,
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 40, maxLength: 80 }),
      ({ events, commits }, pageSize, choices) => {
        let reader = new EventReader([1, 0, 0]);
        const committed = new Set<number>();
        const open: string[] = [];
        const finished = new Set<string>();
        const check = () => {
          for (const { id, position, isWanted } of events)
            if (isWanted && !finished.has(id)) expect(isBefore(reader.cursor, position)).toBe(true);
        };
        const read = () => {
          const page = events
            .filter(({ position }) => committed.has(position[1]) && isBefore(reader.readUntil, position))
            .slice(0, pageSize)
            // A finished event is stored, so it is not wanted again.
            .map((event) => ({ ...event, isWanted: event.isWanted && !finished.has(event.id) }));
          const running = commits.filter((tx) => !committed.has(tx));
          const horizon: Position = [1, Math.min(...running, 99), 0];
          for (const { id } of reader.take(page, horizon)) {
            expect(open.includes(id) || finished.has(id)).toBe(false);
            open.push(id);
          }
          return page.length;
        };
        const finish = (id: string | undefined) => {
          if (id === undefined) return;
          open.splice(open.indexOf(id), 1);
          finished.add(id);
          reader.finish(id);
        };
        const left = [...commits];
        for (const choice of choices) {
          const next = left[0];
          if (choice < 2 && next !== undefined) committed.add(left.shift() ?? next);
          else if (choice < 6) read();
          else if (choice < 8) finish(open[choice % Math.max(1, open.length)]);
          else if (choice === 8 && open[0] !== undefined) reader.putBack(open.shift() ?? '');
          else if (choice === 9 && open.length === 0) reader = new EventReader(reader.cursor);
          check();
        }
        for (const tx of left) committed.add(tx);
        for (let reads = 0; reads < 100; reads += 1) {
          read();
          while (open.length > 0) finish(open[0]);
          check();
        }
        expect([...finished].toSorted()).toEqual(
          events.flatMap(({ id, isWanted }) => (isWanted ? [id] : [])).toSorted(),
        );
        for (const { position } of events) expect(isBefore(reader.cursor, position)).toBe(false);
      },
    ),
  );
});
