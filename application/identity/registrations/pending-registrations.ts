import type { WithoutAcls } from '../../../domain/account/standing-commands.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import {
  pendingRegistrationObject,
  type PendingRegistrationObject,
} from '../../wire-objects/administration/registration-objects.ts'
import type { Ports } from '../../ports.ts'

/** An operator's decision about a waiting registration. */
export type RegistrationDecision = 'approved' | 'rejected'

/** The result of a decision: `decided_already` if it was the same before. */
export type Decided = 'decided' | 'decided_already'

/** The registrations that wait for approval, longest wait first, at most `listedRegistrations_max`. */
export function listPendingRegistrations({ queries }: { readonly queries: Pick<Ports['queries'], 'registrations'> }) {
  return async (): Promise<readonly PendingRegistrationObject[]> =>
    (await queries.registrations.pending()).map(pendingRegistrationObject)
}

/**
 * Approves or rejects a waiting registration. The same decision again changes nothing, and a rejected registration may
 * be approved later. Refuses with UNKNOWN_USER, and with CONFLICT to reject an approved one.
 */
export function decideRegistration({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async (
    context: CommandContext,
    id: AccountId,
    decision: RegistrationDecision,
    guard: WithoutAcls = {},
  ): Promise<Decided> => {
    const command =
      decision === 'approved'
        ? ({ type: 'ApproveRegistration' } as const)
        : ({ type: 'RejectRegistration', ...guard } as const)
    const { changed, repeated } = await aggregates.account.execute(id, command, context)
    return changed || repeated ? 'decided' : 'decided_already'
  }
}
