import type { ConnectableBank } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { Link, useSearch } from '../../navigation/index.ts';
import { LoadFailure } from '../../panel/list-body.tsx';
import { NotApproved } from '../../panel/not-approved.tsx';
import { isAccountApproved } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { buttonClass, type Fact, Facts, Notice, PageHeader, Panel } from '../../ui/index.ts';
import { BankChoice } from './bank-choice.tsx';
import { connectionsQuery } from './bank-queries.ts';
import { connectSearchFrom } from './bank-search.ts';
import { ConnectForm } from './connect-form.tsx';

/** Connects an account at a bank: first the bank is chosen, then its credentials are entered. */
export function ConnectPage() {
  const { bank: chosenId } = useSearch(connectSearchFrom);
  const isApproved = useSession(isAccountApproved);
  const list = useQuery(connectionsQuery);
  const bank = list.data?.banks.find(({ id }) => id === chosenId);
  const testBankUrl = useQuery(settingsQuery).data?.bankUrl;
  return (
    // As wide as what stands below, so that the header's action is aligned with its edge.
    <div className={bank === undefined ? 'max-w-136' : 'max-w-[57.5rem]'}>
      <PageHeader
        title={titleOf(bank)}
        sentence={
          bank === undefined
            ? 'Escolha o banco onde está a conta da sua empresa.'
            : 'Nada pode ser recebido nesta conta até você a ativar.'
        }
        actions={
          <Link to={bank === undefined ? paths.bank : paths.bankConnect} exact className={buttonClass()}>
            {bank === undefined ? 'Voltar' : 'Trocar de banco'}
          </Link>
        }
      />
      {list.data === undefined && list.isError ? (
        <LoadFailure query={list} title="Erro ao buscar os bancos" />
      ) : !isApproved ? (
        <NotApproved drawing="nothing-yet" />
      ) : bank === undefined ? (
        <BankChoice banks={list.data?.banks} />
      ) : (
        <>
          {isTestBank(bank) && testBankUrl != null && <TestAccountNotice bank={bank} bankUrl={testBankUrl} />}
          <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,34rem)_minmax(0,21rem)]">
            <ConnectForm key={bank.id} bank={bank} />
            <BankSummary bank={bank} />
          </div>
        </>
      )}
    </div>
  );
}

/** Whether it is the bank of the test mode, where everybody may open accounts. */
const isTestBank = ({ id }: ConnectableBank) => id === 'sandbox' || id === 'sandbox-certificado';

/** Where an account to try this with comes from. Above the form, because on a phone the summary stands below it. */
function TestAccountNotice({ bank, bankUrl }: { bank: ConnectableBank; bankUrl: string }) {
  return (
    <Notice tone="info" className="mb-5" title="Ainda não tem uma conta de teste?">
      Abra uma em{' '}
      <a className="link" href={`${bankUrl}/contas`} target="_blank" rel="noreferrer">
        Contas do Banco Sandbox
      </a>
      {bank.certificate === 'required'
        ? ', com certificado de cliente. Lá você copia a chave Pix, o Client ID e o Client Secret, e baixa o certificado.'
        : '. Lá você copia a chave Pix, o Client ID e o Client Secret.'}
    </Notice>
  );
}

function titleOf(bank: ConnectableBank | undefined): string {
  if (bank === undefined) return 'Conectar banco';
  return bank.needsAddresses ? 'Conectar outro banco' : `Conectar ${bank.name}`;
}

/** The services of the bank's API, and where its customers find the data for the form. */
function BankSummary({ bank }: { bank: ConnectableBank }) {
  const { needsAddresses, help, offers } = bank;
  const facts: Fact[] = [
    { label: 'Cobranças', value: 'Sim' },
    { label: 'Estornos', value: yesOrNo(offers.refunds) },
    { label: 'Saques', value: yesOrNo(offers.withdrawals) },
    { label: 'Disputas (MED)', value: yesOrNo(offers.disputes) },
    { label: 'Saldo', value: yesOrNo(offers.balance) },
    { label: 'Pix Automático', value: offers.recurring ? 'Sim' : 'Não' },
  ];
  return (
    <Panel well as="aside" label="O banco">
      <h2 className="font-strong">Onde achar isto no banco</h2>
      <p className="mt-2 text-muted">
        {isTestBank(bank)
          ? 'Na página Contas do Banco Sandbox, em “Conectar à Jangada”, na sua conta.'
          : `Na área de API do banco, crie uma aplicação para Pix. Ela dá o Client ID e o Client Secret${
              certificateSource[bank.certificate]
            }.`}
      </p>
      {help !== null && (
        <p className="mt-2">
          <a className="link" href={help} target="_blank" rel="noreferrer">
            Página do banco que explica
          </a>
        </p>
      )}
      {needsAddresses && (
        <p className="mt-2 text-muted">
          Este banco não está na nossa lista de endereços: o operador os informa antes da primeira
          verificação.
        </p>
      )}
      <h2 className="mt-5 font-strong">O que este banco faz por aqui</h2>
      <Facts bordered={false} className="mt-1" facts={facts} />
    </Panel>
  );
}

const certificateSource = {
  required: ', e o banco emite o certificado',
  optional: '. Muitos bancos emitem também um certificado',
  none: '',
} as const satisfies Record<ConnectableBank['certificate'], string>;

const yesOrNo = (value: boolean) => (value ? 'Sim' : 'Só pelo banco');
