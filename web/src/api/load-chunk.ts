import { ApiError } from './api-error.ts';

/**
 * Loads a chunk with `import()` for a user who is waiting. A file that does not arrive counts as a call without a
 * response.
 */
export async function loadChunk<Module>(file: Promise<Module>): Promise<Module> {
  try {
    return await file;
  } catch (cause) {
    throw new ApiError({ status: 0, cause });
  }
}
