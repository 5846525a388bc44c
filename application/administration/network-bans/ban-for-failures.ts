import { secondsAfter, timestamp } from '../../../domain/kernel/timestamp.ts'
import { systemContext } from '../../commands/system-context.ts'
import type { Ports } from '../../ports.ts'

/** How long a network is banned after too many failed requests. */
export const failureBan_s = 24 * 3600

/** Bans a network for 24 hours because of too many failed requests. An existing ban stays as it is. */
export function banForFailures({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async (network: string): Promise<void> => {
    const now = timestamp(Date.now())
    const expiresAt = secondsAfter(now, failureBan_s)
    await aggregates.networkBan.execute(
      network,
      { type: 'BanNetwork', network, cause: 'failures', reason: null, expiresAt, now },
      systemContext('failed requests', now),
    )
  }
}
