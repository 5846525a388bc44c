import { reject } from '../../../application/commands/refused.ts'
import type { Exchange } from './exchange.ts'

/**
 * Refuses with INVALID_API_ORIGIN what a page of another site sends. Browsers that do not say where a request is from are let in: no
 * page acts by anything that a browser sends by itself, and the cookie of the console is sent to its own site alone.
 */
export function requireOwnSite({ raw }: Pick<Exchange, 'raw'>): void {
  const site = raw.headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') reject('INVALID_API_ORIGIN')
}
