import { useState } from 'react';
import { retryLive, useLiveState } from '../../api/live-state.ts';
import { Button } from '../../ui/index.ts';

/**
 * A strip below the top bar, shown while the live channel (the WebSocket on which the gateway pushes changes) is lost.
 * Meanwhile the screen does not update by itself.
 */
export function LiveUpdatesNotice() {
  const state = useLiveState();
  const [wasLost, setWasLost] = useState(false);
  // A lost channel still counts as lost while it reconnects, so the component remembers that it was lost. The state is
  // set during render, because it follows from the channel's state alone.
  const isLost = state === 'down' || (wasLost && state === 'connecting');
  if (isLost !== wasLost) setWasLost(isLost);
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
          isSending={state === 'connecting'}
          sendingLabel="Tentando"
          onClick={retryLive}
        >
          Tentar Novamente
        </Button>
      )}
    </div>
  );
}
