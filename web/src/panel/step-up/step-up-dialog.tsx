import { stepUp, stepUpOptions } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { holdStepUp } from '../../api/step-up.ts';
import { Button, Dialog, LoadingRegion, Notice, Skeleton } from '../../ui/index.ts';
import { FactorForm, type FactorInput } from '../factor/factor-form.tsx';

/** Asks for the second factor before actions for which a password or an open session is not enough. */
export function StepUpDialog({ onAnswer }: { onAnswer: (given: boolean) => void }) {
  const ways = useQuery({
    queryKey: ['step-up'],
    queryFn: ({ signal }) => call(stepUpOptions, { signal }),
    // A challenge can be used only once.
    staleTime: 0,
    gcTime: 0,
  });
  const give = async (factor: FactorInput) => {
    const challenge = 'credential' in factor ? (ways.data?.challenge ?? undefined) : undefined;
    try {
      holdStepUp(await call(stepUp, { body: { ...factor, ...(challenge && { challenge }) } }));
    } catch (error) {
      // The next attempt needs a new challenge.
      if (error instanceof ApiError && 'credential' in factor) void ways.refetch();
      throw error;
    }
    onAnswer(true);
  };
  return (
    <Dialog open onClose={() => onAnswer(false)} title="Confirme que é você" size="small">
      <p className="mb-5 text-muted">Este passo pede o segundo fator da sua conta.</p>
      {ways.data !== undefined ? (
        <FactorForm methods={ways.data.methods} passkey={ways.data.options} onFactor={give} />
      ) : ways.isError ? (
        <Notice
          tone="error"
          action={
            <Button size="small" sending={ways.isFetching} onClick={() => ways.refetch()}>
              Tentar Novamente
            </Button>
          }
        >
          {errorText(ways.error, 'Não foi possível pedir o segundo fator.')}
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
