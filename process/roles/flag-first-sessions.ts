import { flagFirstSessions, type FirstSessionNeeds } from '../../application/identity/sessions/flag-first-sessions.ts'
import { timestamp } from '../../domain/kernel/timestamp.ts'
import type { Base } from './base.ts'
import { repeatedly } from './repeatedly.ts'

const stockLooks_ms = 5000

/** In every worker: gives accounts the flag of their first Gateway session. If two workers do so, the flag is set once. */
export function flagSessions({ options, closings, onError }: Base, ports: FirstSessionNeeds): void {
  const { looks_ms = stockLooks_ms } = options
  const flag = flagFirstSessions(ports)
  const rounds = repeatedly(looks_ms, () => flag(timestamp(Date.now())), onError)
  closings.add(() => rounds.stop())
}
