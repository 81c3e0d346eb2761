import { useLayoutEffect, useState } from 'react';

export * from '@tanstack/store';

type Source<Value> = {
  get: () => Value;
  subscribe: (changed: () => void) => { unsubscribe: () => void };
};

/**
 * Replaces the hook of `@tanstack/react-store` with which the router's hooks read its state (see
 * `build/router-store-plugin.ts`). That hook is a `useSyncExternalStore`, whose changes React renders synchronously in
 * one task. Kept as React state, a change that the router makes in a transition renders concurrently while the old
 * screen stays visible. `select` runs when the source changes, not on each render: it may not depend on anything else
 * that changes.
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
      // Selected during rendering: components that this render unmounts are not asked, and may have nothing left to
      // select.
      hold((held) => {
        const selected = select(value);
        return held.source === source && compare(held.selected, selected) ? held : { source, selected };
      });
    };
    // No subscription reports changes made between rendering and this effect.
    look();
    return source.subscribe(look).unsubscribe;
  }, [source]);
  return held.source === source ? held.selected : select(source.get());
}
