import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { commandContext } from '../../commands/command-context.ts'
import type { CommandOrigins } from '../../ports/command-origins.ts'
import type { Ports } from '../../ports.ts'

/** How long a network is banned after too many failed requests. */
export const failureBan_s = 24 * 3600

/** Bans a network for 24 hours because of too many failed requests. An existing ban stays as it is. */
export function banForFailures({ aggregates }: Pick<Ports, 'aggregates'>, origins: CommandOrigins) {
  return async (network: string): Promise<void> => {
    const origin = origins.fresh()
    const { commandId, now } = origin
    const context = commandContext({
      commandId,
      correlationId: commandId,
      causationId: commandId,
      actor: { kind: 'system', name: 'failed requests' },
      reason: undefined,
      now,
      mayRepeat: origin.mayRepeat,
      isKeyed: origin.isKeyed,
      newId: () => origin.newId(),
      randomBytes: (count) => origin.randomBytes(count),
    })
    const expiresAt = secondsAfter(now, failureBan_s)
    await aggregates.networkBan.execute(
      network,
      { type: 'BanNetwork', network, cause: 'failures', reason: null, expiresAt, now },
      context,
    )
  }
}
