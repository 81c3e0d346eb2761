// npm test: begins in plain JavaScript on whatever Node there is, installs, and hands over to the pinned one.
import { ensureInstalled, runTypeScript } from './install.mjs';

ensureInstalled();
runTypeScript('tools/test.ts', process.argv.slice(2));
