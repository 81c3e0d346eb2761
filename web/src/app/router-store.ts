import { useLayoutEffect, useState } from 'react';

export * from '@tanstack/store';

type Source<Value> = {
  get: () => Value;
  subscribe: (changed: () => void) => { unsubscribe: () => void };
};

/**
 * Replaces the hook of `@tanstack/react-store` with which the router's hooks read its state; the build
 * (`build/router-store-plugin.ts`) puts this file in the package's place. The original uses `useSyncExternalStore`,
 * whose changes React renders synchronously in one long task. Here the value is React state, so a change that the
 * router makes in a transition renders concurrently while the old screen stays visible. `select` runs when the source
 * changes, not on each render: it may not depend on anything else that changes.
 */
export function useSelector<Value>(
  source: Source<Value>,
  select: (value: Value) => unknown = (value) => value,
  { compare = Object.is }: { compare?: (a: unknown, b: unknown) => boolean } = {},
): unknown {
  const [state, setState] = useState(() => ({ source, selected: select(source.get()) }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `select` and `compare` give the same results in every render
  useLayoutEffect(() => {
    const update = () => {
      const value = source.get();
      // `select` runs during rendering: a component that this render unmounts does not call it, and may have nothing
      // left to select.
      setState((previous) => {
        const selected = select(value);
        const isSame = previous.source === source && compare(previous.selected, selected);
        return isSame ? previous : { source, selected };
      });
    };
    // The subscription does not report changes made between rendering and this effect.
    update();
    return source.subscribe(update).unsubscribe;
  }, [source]);
  return state.source === source ? state.selected : select(source.get());
}
