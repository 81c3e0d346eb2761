import { errors } from '@jangada/contract';
import { Link } from '@tanstack/react-router';
import { paths } from '../../app/paths.ts';
import { buttonClass } from '../../ui/index.ts';
import { RecoveryTitle } from './recovery-frame.tsx';

/** A link that is not whole, was used, or ran out. */
export function LinkGone() {
  return (
    <div role="alert">
      <RecoveryTitle sentence={errors.LINK_EXPIRED.message}>Link inválido</RecoveryTitle>
      <Link to={paths.recoverPassword} className={buttonClass({ variant: 'primary', block: true })}>
        Pedir outro link
      </Link>
      <Link to={paths.login} className={`mt-3 ${buttonClass({ block: true })}`}>
        Voltar para entrar
      </Link>
    </div>
  );
}
