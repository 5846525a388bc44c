import { orPostgresUnavailable } from '../../adapters/postgres/postgres-unavailable.ts'
import { openOutages } from '../../application/health/open-outages.ts'
import { report } from '../commands/beside.ts'

export interface SaidOutages {
  /** Says an error, unless it belongs to an outage that was said. */
  readonly report: (error: unknown) => void
  readonly close: () => void
}

/** For a command that goes on while a server is away: an outage is two lines, however often something fails meanwhile. */
export function sayingOutages(say: (line: string) => void): SaidOutages {
  const outages = openOutages({
    log: {
      warn: (entry, message) => say('part' in entry ? `${String(entry.part)}: ${message}` : message),
      debug: () => undefined,
      isLevelEnabled: () => false,
    },
  })
  return {
    report(error) {
      if (!outages.failed(orPostgresUnavailable(error), () => ({}))) report(error)
    },
    close: () => outages.close(),
  }
}
