import type { CheckStep } from '@jangada/contract';
import type { PspConfig } from '../config.ts';
import { connectBank, PspRefused, PspUnknown } from '../psp/index.ts';

type CheckOptions = {
  readonly psp: PspConfig;
  readonly pixKey: string;
  readonly merchantCity: string;
  readonly noticeUrl: string;
  readonly now: Date;
};

/** Tries the credentials, and registers the address for notices. Reports the steps as they go. */
export async function checkBank(
  { psp: config, pixKey, merchantCity, noticeUrl }: CheckOptions,
  onSteps: (steps: readonly CheckStep[]) => Promise<void>,
): Promise<{ readonly passed: boolean; readonly steps: readonly CheckStep[] }> {
  const psp = connectBank({ psp: config, pixKey, merchantCity });
  const step = { id: 'token', title: 'Credenciais', asked: 'Registrar o endereço dos avisos.' };
  try {
    await onSteps([{ ...step, state: 'running', answered: '', meaning: '' }]);
    await psp.registerNoticeUrl(noticeUrl);
    const answered = 'O banco aceitou.';
    return { passed: true, steps: [{ ...step, state: 'passed', answered, meaning: '' }] };
  } catch (error) {
    if (!(error instanceof PspRefused || error instanceof PspUnknown)) throw error;
    const meaning = 'Confira as credenciais no banco.';
    return { passed: false, steps: [{ ...step, state: 'failed', answered: error.message, meaning }] };
  } finally {
    await psp.close();
  }
}
