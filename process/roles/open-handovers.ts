import type { SessionHandovers } from '../../application/ports/session-handovers.ts'
import { sharedHandovers } from '../../application/identity/sessions/shared-handovers.ts'
import { expectedHandovers, type ExpectedHandovers } from '../../gateway/sessions/expected-handovers.ts'
import type { Base } from './base.ts'
import { roles as allRoles } from './role.ts'

/** How a connection learns that another session replaces its own. */
export interface Handovers {
  /** Use cases report it here. */
  readonly told: SessionHandovers
  /** The Gateway of this process looks for it here. */
  readonly expected: ExpectedHandovers
}

/** In memory within one process, which writes no token anywhere; sealed and over signals between processes. */
export function openHandovers({ options, signals, closings }: Base): Handovers {
  const expected = expectedHandovers()
  if (!signals) return { told: expected, expected }
  const { roles = allRoles, personalDataKey } = options
  const shared = sharedHandovers(signals, personalDataKey)
  if (roles.includes('gateway')) {
    const stop = shared.passOn(expected)
    closings.add(async () => stop())
  }
  return { told: shared, expected }
}
