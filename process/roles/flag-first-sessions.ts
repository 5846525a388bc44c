import { flagFirstSessions, type FirstSessionNeeds } from '../../application/identity/sessions/flag-first-sessions.js'
import { timestamp } from '../../domain/kernel/timestamp.js'
import type { Base } from './base.js'
import { repeatedly } from './repeatedly.js'

const stockLooks_ms = 5000

/** In every worker: gives accounts the flag of their first Gateway session. If two workers do so, the flag is set once. */
export function flagSessions({ options, closings, onError }: Base, ports: FirstSessionNeeds): void {
  const { looks_ms = stockLooks_ms } = options
  const flag = flagFirstSessions(ports)
  const rounds = repeatedly(looks_ms, () => flag(timestamp(Date.now())), onError)
  closings.add(() => rounds.stop())
}
