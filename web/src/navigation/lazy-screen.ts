import { createElement, type ReactNode, use } from 'react';
import { ApiError } from '../api/api-error.ts';
import { readStored, writeStored } from '../session/storage.ts';

/** A component whose code may have to be loaded. `load` returns nothing when the code is there, and never rejects. */
export type LazyComponent = (() => ReactNode) & { load?: () => Promise<void> | undefined };

/**
 * A screen whose code is loaded when the screen is opened. If a chunk is missing, as after an update, the page is
 * reloaded, once. If the server cannot be reached, a reload would lose the whole panel. So the failure then becomes an
 * ApiError without a response, which the screen shows. The next `load` tries again.
 */
export function lazyScreen<Name extends string>(
  importModule: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
): LazyComponent {
  let Screen: (() => ReactNode) | undefined;
  let failure: { readonly cause: unknown } | undefined;
  let loading: Promise<void> | undefined;

  const fetchCode = async () => {
    failure = undefined;
    try {
      Screen = (await importModule())[name];
    } catch (cause) {
      failure = { cause: (await canReachServer()) ? cause : new ApiError({ status: 0, cause }) };
    }
    loading = undefined;
  };
  const load = () => {
    if (Screen === undefined) loading ??= fetchCode();
    return loading;
  };
  const render = () => {
    const pending = failure === undefined ? load() : undefined;
    if (pending !== undefined) use(pending);
    if (Screen !== undefined) return createElement(Screen);
    if (isChunkMissing(failure?.cause) && reloadOnce(failure.cause.message)) use(forever);
    throw failure?.cause;
  };
  return Object.assign(render, { load });
}

const forever = new Promise<never>(() => {});

async function canReachServer(): Promise<boolean> {
  try {
    await fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' });
    return true;
  } catch {
    return false;
  }
}

/** True for the error of Chrome, Firefox or Safari when a script of `import()` cannot be fetched. */
function isChunkMissing(cause: unknown): cause is Error {
  return (
    cause instanceof Error &&
    /^(Failed to fetch|error loading) dynamically imported module|^Importing a module script failed/.test(
      cause.message,
    )
  );
}

/** Reloads the page, unless this tab was reloaded for the same reason before. */
function reloadOnce(reason: string): boolean {
  const key = `reloaded: ${reason}`;
  if (readStored(key, 'tab') !== null) return false;
  writeStored(key, '1', 'tab');
  window.location.reload();
  return true;
}
