import type { Allowances } from '../../../application/ports/allowances.js'

/** Nothing is ever used up. */
export const unlimited: Allowances = {
  take: async () => ({ allowed: true }),
  look: async () => ({ allowed: true }),
  reset: async () => undefined,
}
