import type { FastifyInstance } from 'fastify';
import type { Bank } from '../site.ts';

/** The bank's app. */
export function pageRoutes(_app: FastifyInstance, _bank: Bank): void {}
