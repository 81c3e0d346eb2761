import type { ConnectableBank } from '@jangada/contract';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { SearchField } from '../../panel/search-field.tsx';
import { EmptyState, LoadingRegion, Skeleton } from '../../ui/index.ts';

/** From how many banks on the list can be searched. */
const SEARCHED_FROM = 8;

/** The banks that can be connected. Each leads to the form for its credentials; undefined while they load. */
export function BankChoice({ banks }: { banks: readonly ConnectableBank[] | undefined }) {
  const [search, setSearch] = useState('');
  if (banks === undefined)
    return (
      <LoadingRegion>
        {[1, 2, 3, 4].map((row) => (
          <Skeleton key={row} className="mb-2 h-15 w-full max-w-136" />
        ))}
      </LoadingRegion>
    );
  const found = banks.filter(({ name }) => foldedText(name).includes(foldedText(search)));
  const other = banks.find(({ needsAddresses }) => needsAddresses);
  return (
    <div className="max-w-136">
      {banks.length >= SEARCHED_FROM && (
        <div className="mb-3">
          <SearchField
            label="Buscar banco"
            placeholder="Nome do banco"
            maxLength={60}
            width="md:w-full"
            search={search}
            onSearch={setSearch}
          />
        </div>
      )}
      {found.length === 0 ? (
        <EmptyState drawing="no-result" title="Nenhum banco com esse nome">
          {other === undefined
            ? 'Confira o nome, ou pergunte ao operador deste gateway.'
            : `Se o seu banco tem a API Pix do Banco Central, escolha “${other.name}”.`}
        </EmptyState>
      ) : (
        <ul aria-label="Bancos" className="card divide-y divide-base-300 overflow-hidden">
          {found.map((bank) => (
            <li key={bank.id}>
              <Link
                to={paths.bankConnect}
                search={{ bank: bank.id }}
                className="flex min-h-15 items-center gap-4 px-4 py-2.5 -outline-offset-2 transition-colors duration-120 hover:bg-hover md:px-5"
              >
                <span className="min-w-0 grow">
                  <span className="block font-medium wrap-anywhere">{bank.name}</span>
                  <span className="block text-xs text-muted">{needsOf(bank)}</span>
                </span>
                <ChevronRight
                  className="size-4.5 shrink-0 text-muted"
                  strokeWidth={1.75}
                  aria-hidden="true"
                />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The demands of the bank, in a few words. */
function needsOf({ certificate, needsAddresses }: ConnectableBank): string {
  const credentials = credentialsBy[certificate];
  return needsAddresses ? `${credentials}. O operador informa os endereços` : credentials;
}

const credentialsBy = {
  required: 'Client ID, Client Secret e certificado',
  optional: 'Client ID, Client Secret e, se o banco pedir, certificado',
  none: 'Client ID e Client Secret, sem certificado',
} as const satisfies Record<ConnectableBank['certificate'], string>;

/** A text without capitals and accents, to be searched. */
function foldedText(text: string): string {
  return text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
