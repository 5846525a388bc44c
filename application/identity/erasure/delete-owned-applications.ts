import type { AccountId } from '../../../domain/ids/ids.js'
import type { CommandContext } from '../../commands/command-context.js'
import { Refused } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'

/**
 * Deletes the applications of an account that is nobody's any more. Their tokens are worth nothing at once; their bots are erased
 * by the process manager, one by one (reference stores 4.18).
 */
export async function deleteOwnedApplications(
  { aggregates, queries }: Pick<Ports, 'aggregates' | 'queries'>,
  owner: AccountId,
  context: CommandContext,
): Promise<void> {
  for (const { id } of await queries.applications.ofOwner(owner)) {
    try {
      await aggregates.application.execute(id, { type: 'DeleteApplication', now: context.now }, context)
    } catch (error) {
      // It was deleted since it was listed.
      if (!(error instanceof Refused) || error.refusal.code !== 'UNKNOWN_APPLICATION') throw error
    }
  }
}
