import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.ts';

/**
 * A screen whose code comes when it is opened. The router loads the page anew where a file of it is gone, as after an update;
 * where the server cannot be reached that would leave nothing of the panel, so there it is a call without an answer.
 */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (cause) {
      if (await isServerReached()) throw cause;
      throw new ApiError({ status: 0, cause });
    }
  }, name);

async function isServerReached(): Promise<boolean> {
  try {
    await fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' });
    return true;
  } catch {
    return false;
  }
}
