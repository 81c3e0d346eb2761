import { enhanceDocs } from './features/api-docs/enhance-docs.ts';

// The entry point of /docs, which is complete without it.
const docs = document.querySelector<HTMLElement>('#docs > div');
if (docs !== null) enhanceDocs(docs);
