import { PageHeader } from '../../ui/index.ts';
import { NewChargeLink } from './new-charge-link.tsx';
import { TodaysCharges } from './todays-charges.tsx';

/** What a role that sees only its own charges of today gets in place of all transactions. */
export function TodaysChargesPage() {
  return (
    <>
      <PageHeader
        title="Cobranças de hoje"
        sentence="As cobranças que você criou hoje. As dos outros e as de outros dias ficam com o dono da conta."
        actions={<NewChargeLink />}
      />
      <TodaysCharges />
    </>
  );
}
