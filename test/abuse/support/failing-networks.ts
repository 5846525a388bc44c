import { failureScores, openFailureScores } from '../../../adapters/http/brakes/failure-scores.ts'
import type { PostgresDatabase } from '../../../adapters/postgres/database.ts'

/** How many requests that fail with 401, which weighs 0.75, ban a network that `hasFailedOften`; half of them do not. */
export const failuresToBan = 80
const lacking = failuresToBan * 0.4
/** Nothing is forgiven before the first of them. */
const later_ms = 3_600_000

/**
 * Gives networks, such as 203.0.113.7/32, a score just below that of a ban. Who fails is answered later and later, so that failing so
 * often takes more than a minute.
 */
export async function hasFailedOften(database: PostgresDatabase, ...networks: readonly string[]): Promise<void> {
  const scores = openFailureScores({ database, now: () => Date.now() + later_ms })
  await scores.add(new Map(networks.map((network) => [network, failureScores.threshold - lacking])))
}
