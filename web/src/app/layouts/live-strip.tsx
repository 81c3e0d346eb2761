import { useState } from 'react';
import { retryLive, useLiveState } from '../../api/live-state.ts';
import { Button } from '../../ui/index.ts';

/**
 * Shown below the top bar from the loss of the live channel until it is back: meanwhile the screen does not update by
 * itself.
 */
export function LiveStrip() {
  const state = useLiveState();
  const [lost, setLost] = useState(false);
  // The channel still counts as lost while it reconnects.
  const isLost = state === 'down' || (lost && state === 'connecting');
  if (isLost !== lost) setLost(isLost);
  return (
    <div className="mx-auto flex max-w-[1264px] flex-wrap items-center gap-x-3 px-4 text-xs text-muted lg:px-8">
      <p role="status">
        {isLost && 'Atualizações ao vivo interrompidas: o que chegar aparece quando você recarregar a tela.'}
      </p>
      {isLost && (
        <Button
          variant="quiet"
          size="small"
          className="-ms-3"
          sending={state === 'connecting'}
          sendingWord="Tentando"
          onClick={retryLive}
        >
          Tentar Novamente
        </Button>
      )}
    </div>
  );
}
