import { ApiError } from './api-error.ts';

/** What `import()` loads for somebody who waits. A file that does not arrive is a call without an answer. */
export async function loadChunk<Module>(file: Promise<Module>): Promise<Module> {
  try {
    return await file;
  } catch (cause) {
    throw new ApiError({ status: 0, cause });
  }
}
