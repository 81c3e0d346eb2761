import { useQuery } from '@tanstack/react-query';
import { settingsQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { buttonClass, Panel } from '../../ui/index.ts';

/** Asks a company to send its documents to the operator of the gateway by e-mail. */
export function CompanyNotice() {
  const adminEmail = useQuery(settingsQuery).data?.adminEmail ?? null;
  return (
    <Panel className="max-w-[544px]" label="Verificação de empresa">
      <h2 className="text-base font-strong">Verificação de empresa</h2>
      {adminEmail === null ? (
        <p className="mt-2">
          A verificação de contas CNPJ é feita por e-mail. Fale com quem administra este gateway para saber o
          endereço.
        </p>
      ) : (
        <p className="mt-2">
          A verificação de contas CNPJ é feita por e-mail. Envie os documentos da empresa para{' '}
          <a className="link [overflow-wrap:anywhere]" href={`mailto:${adminEmail}`}>
            {adminEmail}
          </a>
          .
        </p>
      )}
      <p className="mt-4 font-medium">O que enviar</p>
      <ul className="mt-1 list-disc pl-5 text-muted">
        <li>contrato social ou certificado de MEI;</li>
        <li>cartão do CNPJ;</li>
        <li>documento com foto de quem representa a empresa, frente e verso, e uma selfie com ele.</li>
      </ul>
      <p className="mt-4 text-muted">
        Escreva do e-mail da sua conta. A resposta chega por e-mail, e a conta é aprovada aqui.
      </p>
      <Link to={paths.home} className={`mt-6 md:self-start ${buttonClass()}`}>
        Fechar
      </Link>
    </Panel>
  );
}
