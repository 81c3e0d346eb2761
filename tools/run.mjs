// node tools/run.mjs FILE [arguments]: runs a TypeScript file of this repository on the pinned Node.
import { ensureInstalled, runTypeScript } from './install.mjs';

ensureInstalled();
runTypeScript(process.argv[2] || '', process.argv.slice(3));
