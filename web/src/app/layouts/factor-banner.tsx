import { errors } from '@jangada/contract';
import { Link, useLocation } from '@tanstack/react-router';
import { useFactorDemand } from '../../api/factor-demand.ts';
import { buttonClass, Notice } from '../../ui/index.ts';
import { paths } from '../paths.ts';

/** Shows staff without a second factor where to set one up, once the gateway has refused them a call. */
export function FactorBanner() {
  const refused = useFactorDemand();
  const { pathname } = useLocation();
  if (!refused || pathname === paths.security) return null;
  return (
    <Notice
      tone="warning"
      title="Segundo fator exigido."
      className="mb-5"
      action={
        <Link to={paths.security} className={buttonClass({ size: 'small' })}>
          Abrir Segurança
        </Link>
      }
    >
      {errors.SECOND_FACTOR_SETUP_REQUIRED.message}
    </Notice>
  );
}
