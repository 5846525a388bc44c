import type { AccountId } from '../../../domain/ids/ids.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { Refused } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

/**
 * Deletes the applications of an erased account. Their tokens become invalid at once; the process manager erases their
 * bots one by one.
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
      // The application was deleted after it was listed.
      if (!(error instanceof Refused) || error.refusal.code !== 'UNKNOWN_APPLICATION') throw error
    }
  }
}
