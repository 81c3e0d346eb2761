import { useLayoutEffect, useState } from 'react';

export * from '@tanstack/store';

type Source<Value> = {
  get: () => Value;
  subscribe: (changed: () => void) => { unsubscribe: () => void };
};

/**
 * Replaces the hook of `@tanstack/react-store` with which the router's hooks read the router's state. The build
 * (`build/router-store-plugin.ts`) substitutes this file for that package. The original hook uses
 * `useSyncExternalStore`, and React renders changes from it synchronously, in one long task. Here the value is React
 * state, so a change that the router makes in a transition renders concurrently while the old screen stays visible.
 * `select` runs when the source changes, not on each render, so it must not depend on anything else that changes.
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
      // `select` is called within `setState`, so that it runs during rendering. A component that this render unmounts
      // then never calls `select`, which could fail because its part of the state may be gone.
      setState((previous) => {
        const selected = select(value);
        const isSame = previous.source === source && compare(previous.selected, selected);
        return isSame ? previous : { source, selected };
      });
    };
    // Catches up on changes made between rendering and this effect, which the subscription does not report.
    update();
    return source.subscribe(update).unsubscribe;
  }, [source]);
  return state.source === source ? state.selected : select(source.get());
}
