import { useLayoutEffect, useState } from 'react';

export * from '@tanstack/store';

type Source<Value> = {
  get: () => Value;
  subscribe: (changed: () => void) => { unsubscribe: () => void };
};

/**
 * What the router's hooks read its state with, instead of the hook of `@tanstack/react-store` (see `vite.config.ts`). That one is
 * a `useSyncExternalStore`, whose changes React draws at once and in one task. Kept as React's own state, a change that the
 * router makes in a transition is drawn bit by bit, beside the screen that still stands.
 *
 * `select` has to select the same whenever it is given the same value.
 */
export function useSelector<Value, Selected = Value>(
  source: Source<Value>,
  select: (value: Value) => Selected = (value) => value as unknown as Selected,
  { compare = Object.is }: { compare?: (a: Selected, b: Selected) => boolean } = {},
): Selected {
  const [held, hold] = useState(() => ({ source, value: source.get() }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `select` and `compare` decide alike in every drawing
  useLayoutEffect(() => {
    const look = () => {
      const next = { source, value: source.get() };
      hold((held) =>
        held.source === source && compare(select(held.value), select(next.value)) ? held : next,
      );
    };
    // What changed between the drawing and now was told to nobody.
    look();
    return source.subscribe(look).unsubscribe;
  }, [source]);
  return select(held.source === source ? held.value : source.get());
}
