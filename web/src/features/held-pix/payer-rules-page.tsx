import type { PayerRules } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { useMerchantBank } from '../../panel/bank/merchant-bank.ts';
import { type PayerCase, PayerRuleFields } from '../../panel/charge/payer-rule-fields.tsx';
import { LoadFailure } from '../../panel/list-body.tsx';
import { useMay } from '../../session/account.ts';
import { Button, buttonClass, LoadingRegion, Notice, PageHeader, Skeleton, toast } from '../../ui/index.ts';
import { payerRulesQuery, savePayerRules } from './held-pix-queries.ts';

/** What the account does with a Pix of another payer, a late one and a second one. */
export function PayerRulesPage() {
  const query = useQuery(payerRulesQuery);
  return (
    <>
      <PageHeader
        title="Quem pode pagar"
        sentence="O que fazer com um Pix que não é como se esperava."
        actions={
          <Link to={paths.dueCharges} search={{ tab: 'held' }} className={buttonClass()}>
            Pix retidos
          </Link>
        }
      />
      {query.data !== undefined ? (
        <RulesForm rules={query.data} />
      ) : query.isError ? (
        <LoadFailure
          query={query}
          title="Erro ao buscar as regras"
          reassurance="As regras continuam valendo."
        />
      ) : (
        <LoadingRegion>
          <Skeleton className="h-9 w-44" />
          <Skeleton className="mt-5 h-52 w-full max-w-136" />
        </LoadingRegion>
      )}
    </>
  );
}

const withoutRule: Readonly<Record<PayerCase, string>> = {
  other_payer: 'Sem regra: é aceito',
  late: 'Sem regra: é aceito',
  doubled: 'Sem regra: o operador decide',
};

function RulesForm({ rules: saved }: { rules: PayerRules }) {
  const mayChange = useMay('manage-account');
  const { has_own_accounts: hasOwnAccounts } = useMerchantBank();
  const [rules, setRules] = useState(saved);
  const [problem, setProblem] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setProblem(undefined);
    setIsSending(true);
    try {
      await savePayerRules(rules);
      toast('Regras salvas');
    } catch (error) {
      setProblem(errorText(error, 'Erro ao salvar as regras. Tente novamente.'));
    } finally {
      setIsSending(false);
    }
  };
  return (
    <form onSubmit={save} className="grid max-w-136 grid-cols-1 gap-5" noValidate>
      {!mayChange && <Notice tone="info">Só quem é dono da conta muda estas regras.</Notice>}
      {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      <PayerRuleFields
        rules={rules}
        onChange={setRules}
        withoutRule={withoutRule}
        disabled={!mayChange || isSending}
      />
      <p className="text-muted">
        O que é retido espera em Pix retidos, e você é avisado. O que é devolvido volta inteiro, sem tarifa.
        Uma cobrança pode ter regras próprias, que valem no lugar destas.
        {hasOwnAccounts && ' Na sua conta do banco, um segundo Pix sem regra também espera a sua decisão.'}
      </p>
      {mayChange && (
        <div>
          <Button type="submit" variant="primary" isSending={isSending} sendingLabel="Salvando">
            Salvar
          </Button>
        </div>
      )}
    </form>
  );
}
