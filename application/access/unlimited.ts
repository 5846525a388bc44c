import type { Counted } from '../ports/reservations.ts'

/** For an act that counts, and that no limit applies to. */
export const unlimited = {
  limit: Number.MAX_SAFE_INTEGER,
  refuse: (): never => {
    throw new Error('An act that no limit applies to was refused')
  },
} satisfies Partial<Counted>
