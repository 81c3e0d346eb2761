import { stepUp, stepUpOptions } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { storeStepUpToken } from '../../api/step-up.ts';
import { Button, Dialog, LoadingRegion, Notice, Skeleton } from '../../ui/index.ts';
import { FactorForm, type FactorInput } from '../factor/factor-form.tsx';

/** Asks for the second factor before actions for which a password or an open session is not enough. */
export function StepUpDialog({ onAnswer }: { onAnswer: (isProven: boolean) => void }) {
  const options = useQuery({
    queryKey: ['step-up'],
    queryFn: ({ signal }) => call(stepUpOptions, { signal }),
    // Not cached, because the challenge that a passkey signs can be used only once.
    staleTime: 0,
    gcTime: 0,
  });
  const submitFactor = async (factor: FactorInput) => {
    const isPasskey = 'credential' in factor;
    const challenge = isPasskey ? (options.data?.challenge ?? undefined) : undefined;
    try {
      storeStepUpToken(await call(stepUp, { body: { ...factor, ...(challenge && { challenge }) } }));
    } catch (error) {
      // The next attempt needs a new challenge.
      if (error instanceof ApiError && isPasskey) void options.refetch();
      throw error;
    }
    onAnswer(true);
  };
  return (
    <Dialog open onClose={() => onAnswer(false)} title="Confirme que é você" size="small">
      <p className="mb-5 text-muted">Este passo pede o segundo fator da sua conta.</p>
      {options.data !== undefined ? (
        <FactorForm methods={options.data.methods} passkey={options.data.options} onFactor={submitFactor} />
      ) : options.isError ? (
        <Notice
          tone="error"
          action={
            <Button size="small" isSending={options.isFetching} onClick={() => options.refetch()}>
              Tentar Novamente
            </Button>
          }
        >
          {errorText(options.error, 'Não foi possível pedir o segundo fator.')}
        </Notice>
      ) : (
        <LoadingRegion>
          <Skeleton className="h-3 w-52" />
          <Skeleton className="mt-3 h-10 w-full" />
          <Skeleton className="mt-9 h-10 w-full" />
        </LoadingRegion>
      )}
    </Dialog>
  );
}
