import { useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { toast, toastError } from '../../ui/index.ts';

/** Switches something on: says so, or why not, after which it is read anew. */
export function useTurning() {
  const [busy, setBusy] = useState(false);
  const run = async (action: () => Promise<unknown>, done: string, readAgain: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await action();
      toast(done);
    } catch (error) {
      toastError(errorText(error, 'Não foi possível ligar. Tente novamente.'));
      await readAgain();
    } finally {
      setBusy(false);
    }
  };
  return { busy, run };
}
