import { enhanceDocs } from './features/api-docs/enhance-docs.ts';

// The script of the page /docs, which is complete without it.
const docs = document.querySelector<HTMLElement>('#docs > div');
if (docs !== null) enhanceDocs(docs);
