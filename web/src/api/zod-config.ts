import * as z from 'zod/mini';

// Zod tries out whether it may compile its parsers with `eval`, and the content security policy would report that as a
// violation. This file must be imported before anything that parses.
z.config({ jitless: true });
