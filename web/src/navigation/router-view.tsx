import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { searchValues } from './address.ts';
import type { Router, RouterState, ScreenRoute } from './router.ts';

const RouterContext = createContext<Router | null>(null);
const StateContext = createContext<RouterState | null>(null);

/**
 * Lets `children` follow a started router. The state is React's own and changes in transitions, so the old screen stays,
 * and answers, until the next one is drawn.
 */
export function RouterView({ router, children }: { router: Router; children: ReactNode }) {
  const [state, setState] = useState(router.state);
  const { shown } = state;
  useLayoutEffect(() => router.connect((next) => startTransition(() => setState(next))), [router]);
  useLayoutEffect(() => router.rendered(shown), [router, shown]);
  return (
    <RouterContext value={router}>
      <StateContext value={state}>{children}</StateContext>
    </RouterContext>
  );
}

export function useRouter(): Router {
  const router = useContext(RouterContext);
  if (router === null) throw new Error('There is no router around this component.');
  return router;
}

export function useRouterState(): RouterState {
  const state = useContext(StateContext);
  if (state === null) throw new Error('There is no router around this component.');
  return state;
}

/** The route of the shown screen, or undefined if there is nothing at the address. */
export function useShownRoute(): ScreenRoute | undefined {
  return useRouterState().shown.route;
}

/** The path of the shown screen. */
export function usePathname(): string {
  return useRouterState().shown.address.pathname;
}

/** The search parameters of the shown screen. `parse` must be the same function in each render. */
export function useSearch<Search>(parse: (values: Record<string, unknown>) => Search): Search {
  const { search } = useRouterState().shown.address;
  return useMemo(() => parse(searchValues(search)), [parse, search]);
}

/** A function that opens a screen. It stays the same. */
export function useNavigate(): Router['navigate'] {
  return useRouter().navigate;
}
