import { renderToStaticMarkup } from 'react-dom/server';
import { OfflinePage } from './offline-page.tsx';

/** The complete page with its own style and script inlined. Runs only at build time. */
export function prerenderOffline({ style, script }: { style: string; script: string }): string {
  if (/<\/(?:style|script)/i.test(style + script)) throw new Error('Style or script would end its element.');
  return `<!doctype html>
<html lang="pt-BR" data-theme="corporate">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sem conexão · Jangada</title>
<style>${style}</style>
</head>
<body>${renderToStaticMarkup(<OfflinePage />)}<script>${script}</script></body>
</html>
`;
}
