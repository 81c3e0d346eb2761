import { enhanceDocs } from './features/api-docs/enhance-docs.ts';

// The entry of /docs, which is there in full without it.
const docs = document.querySelector<HTMLElement>('#docs > div');
if (docs !== null) enhanceDocs(docs);
