import type { WithdrawalDestination } from '@jangada/contract';
import { Trash2 } from 'lucide-react';
import { formatDate } from '../../format/date.ts';
import { keyTypeName, shownKey } from '../../panel/pix-key/pix-key.ts';
import { IconButton } from '../../ui/index.ts';

type DestinationsProps = {
  destinations: readonly WithdrawalDestination[];
  onRemove: (destination: WithdrawalDestination) => void;
};

/** Where withdrawals by API may go: whole keys, since they are what is trusted. */
export function Destinations({ destinations, onRemove }: DestinationsProps) {
  return (
    <ul aria-label="Destinos salvos" className="mt-2 divide-y divide-base-300 border-y border-base-300">
      {destinations.map((destination) => {
        const { pix_key, pix_key_type, label, created_at } = destination;
        return (
          <li key={pix_key} className="flex items-center gap-4 py-3">
            <div className="min-w-0 grow">
              {label !== '' && <p className="font-medium wrap-anywhere">{label}</p>}
              <p className={label === '' ? 'font-medium break-all' : 'break-all'}>
                {shownKey(pix_key_type, pix_key)}
              </p>
              <p className="text-xs text-muted">
                {keyTypeName(pix_key_type)} · salvo em {formatDate(created_at)}
              </p>
            </div>
            <IconButton
              label={`Remover ${shownKey(pix_key_type, pix_key)}`}
              className="-mr-2.5 text-muted"
              icon={<Trash2 className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
              onClick={() => onRemove(destination)}
            />
          </li>
        );
      })}
    </ul>
  );
}
