import * as z from 'zod/mini';

// Zod compiles its parsers with `eval` where it may, and asks by trying: the policy would report every first parse.
// Imported before anything that parses.
z.config({ jitless: true });
