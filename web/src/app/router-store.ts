import { useLayoutEffect, useState } from 'react';

export * from '@tanstack/store';

type Source<Value> = {
  get: () => Value;
  subscribe: (changed: () => void) => { unsubscribe: () => void };
};

/**
 * What the router's hooks read its state with, instead of the hook of `@tanstack/react-store` (see `build/router-store-plugin.ts`). That one is
 * a `useSyncExternalStore`, whose changes React draws at once and in one task. Kept as React's own state, a change that the
 * router makes in a transition is drawn bit by bit, beside the screen that still stands.
 *
 * `select` is asked when the source changes, not in each drawing: it may not depend on anything else that changes.
 */
export function useSelector<Value>(
  source: Source<Value>,
  select: (value: Value) => unknown = (value) => value,
  { compare = Object.is }: { compare?: (a: unknown, b: unknown) => boolean } = {},
): unknown {
  const [held, hold] = useState(() => ({ source, selected: select(source.get()) }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `select` and `compare` decide alike in every drawing
  useLayoutEffect(() => {
    const look = () => {
      const value = source.get();
      // In the drawing: what leaves the page in it is not asked, and may have nothing left to select.
      hold((held) => {
        const selected = select(value);
        return held.source === source && compare(held.selected, selected) ? held : { source, selected };
      });
    };
    // What changed between the drawing and now was told to nobody.
    look();
    return source.subscribe(look).unsubscribe;
  }, [source]);
  return held.source === source ? held.selected : select(source.get());
}
