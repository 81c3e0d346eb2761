import { absoluteApiUrl } from '../../api/base-address.ts';
import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { Code, Panel } from '../../ui/index.ts';

const apiUrl = new URL(absoluteApiUrl());
const example = `POST ${apiUrl.pathname}/pix/new
Host: ${apiUrl.host}
X-API-Key: sua-chave
Content-Type: application/json

{
  "amount": 25.90,
  "expires_in": 1800
}`;

/** Explains how the key is used, with an example call that has the key in its header. */
export function HeaderExample() {
  return (
    <Panel well as="aside" label="Como usar a chave">
      <h2 className="font-strong">Como usar</h2>
      <p className="mt-2 text-muted">
        Envie a chave no cabeçalho <Code className="text-base-content">X-API-Key</Code> de cada chamada:
      </p>
      <pre className="mt-3 break-all whitespace-pre-wrap rounded-field border border-base-300 bg-base-100 p-3 font-mono text-xs leading-5">
        {example}
      </pre>
      <ul className="mt-4 grid list-disc gap-1.5 pl-4 text-muted">
        <li>Guarde-a só no servidor. Nunca em um site ou aplicativo.</li>
        <li>Quem tem a chave cria cobranças em seu nome.</li>
        <li>Se ela vazar, gere outra: a antiga deixa de valer na hora.</li>
      </ul>
      <p className="mt-4 text-muted">
        Todas as chamadas, com exemplos prontos:{' '}
        <Link to={paths.apiDocs} className="link">
          Documentação API
        </Link>
      </p>
    </Panel>
  );
}
