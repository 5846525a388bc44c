import type { InviteCode } from '../../domain/ids/ids.js'
import { expiresAt, stands } from '../../domain/invite/state.js'
import type { CommandContext } from '../commands/command-context.js'
import { redemptionIdOf } from '../admission/admit-by-invite.js'
import type { InviteRecord } from '../ports/queries/invite-queries.js'
import type { Ports } from '../ports.js'

type Needs = Pick<Ports, 'aggregates' | 'queries'>

/**
 * The invite that a caller accepts: one that still admits somebody, or the one whose last use an earlier try of this very
 * command took, so that a repeated command is answered as the first one would have been.
 */
export async function findInviteToAccept(
  { aggregates, queries }: Needs,
  code: InviteCode,
  context: CommandContext,
): Promise<InviteRecord | undefined> {
  const found = await queries.invites.find(code, context.now)
  if (found || !context.mayRepeat) return found
  const { state } = await aggregates.invite.load(code)
  if (state.status !== 'created' || !stands(state, redemptionIdOf(context))) return undefined
  return { ...state.terms, uses: state.uses, expiresAt: expiresAt(state.terms) }
}
