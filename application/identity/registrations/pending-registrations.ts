import type { AccountId } from '../../../domain/ids/ids.js'
import type { CommandContext } from '../../commands/command-context.js'
import {
  pendingRegistrationObject,
  type PendingRegistrationObject,
} from '../../wire-objects/administration/registration-objects.js'
import type { Ports } from '../../ports.js'

/** What an operator decides of somebody who waits (reference identity 8.6). */
export type RegistrationDecision = 'approved' | 'rejected'

/** What came of a decision: `decided_already` where it was the same before. */
export type Decided = 'decided' | 'decided_already'

/** Who waits for approval, the longest waiting first, at most `listedRegistrations_max`. Reference identity 8.6. */
export function listPendingRegistrations({ queries }: { readonly queries: Pick<Ports['queries'], 'registrations'> }) {
  return async (): Promise<readonly PendingRegistrationObject[]> =>
    (await queries.registrations.pending()).map(pendingRegistrationObject)
}

/**
 * Lets somebody in who waits, or turns them away. Deciding the same again changes nothing, and who was turned away may be let
 * in later. Refuses with UNKNOWN_USER, and with CONFLICT to turn away who is in. Reference identity 8.6.
 */
export function decideRegistration({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async (context: CommandContext, id: AccountId, decision: RegistrationDecision): Promise<Decided> => {
    const type = decision === 'approved' ? 'ApproveRegistration' : 'RejectRegistration'
    const { changed, repeated } = await aggregates.account.execute(id, { type }, context)
    return changed || repeated ? 'decided' : 'decided_already'
  }
}
