// The script of the page /docs. The page is complete without the script, which adds copying, the programming language
// that the reader chose earlier, and the current place in the table of contents.

import { enhanceDocs } from './features/api-docs/enhance-docs.ts';

const docs = document.querySelector<HTMLElement>('#docs > div');
if (docs !== null) enhanceDocs(docs);
