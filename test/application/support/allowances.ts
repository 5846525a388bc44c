import type { Allowances } from '../../../application/ports/allowances.ts'

/** Nothing is ever used up. */
export const unlimited: Allowances = {
  take: async () => ({ allowed: true }),
  look: async () => ({ allowed: true }),
  reset: async () => undefined,
}
