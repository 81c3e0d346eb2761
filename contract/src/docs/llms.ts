import { unfilled, usualBankAddress } from './page.ts';
import { printDocs } from './print-docs.ts';
import { printMarkdown } from './print-markdown.ts';

/** `/llms.txt`: the whole documentation as one text (llmstxt.org), rendered for the gateway at this address. */
export function printLlms(address: string, bankAddress: string = usualBankAddress): string {
  return `# Jangada

> API de Pix: cobranças, estornos, saques e webhooks, em ${address}/api. Autenticação pelo cabeçalho x-api-key.

- [Documentação](${address}/docs): o mesmo que segue, como página
- [OpenAPI 3.1](${address}/api/openapi.json): cada chamada, campo e erro

${printMarkdown(printDocs({ ...unfilled, address, bankAddress }), { address })}
`;
}
