import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.ts';

/**
 * A screen whose code is loaded when the screen is opened. If a chunk is missing, as after an update, the error goes to
 * the router, which reloads the page. If the server cannot be reached, a reload would lose the whole panel. So the
 * failure then becomes an ApiError without a response, which the screen shows.
 */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    try {
      return await load();
    } catch (cause) {
      if (await canReachServer()) throw cause;
      throw new ApiError({ status: 0, cause });
    }
  }, name);

async function canReachServer(): Promise<boolean> {
  try {
    await fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' });
    return true;
  } catch {
    return false;
  }
}
