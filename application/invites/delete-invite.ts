import type { InviteCode } from '../../domain/ids/ids.js'
import { requireGuild, requirePermission } from '../access/guild-access.js'
import type { Caller } from '../caller.js'
import { reject } from '../commands/refused.js'
import type { Ports } from '../ports.js'
import { findWithinGuesses } from './invite-guesses.js'

type Needs = Pick<Ports, 'aggregates' | 'queries' | 'allowances'>

/**
 * Removes an invite: its creator may, and who holds MANAGE_GUILD. Refuses with RATE_LIMITED after too many
 * codes that are no invite's, UNKNOWN_INVITE, UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS, and for others than the
 * creator TWO_FACTOR_REQUIRED. Contract: part 1, Delete invite.
 */
export function deleteInvite({ aggregates, queries, allowances }: Needs) {
  return async (caller: Caller, code: InviteCode): Promise<void> => {
    const { account, context } = caller
    const invite = await findWithinGuesses({ allowances }, caller, () => queries.invites.find(code, context.now))
    if (!invite) return reject('UNKNOWN_INVITE')
    const access = await requireGuild({ queries }, caller, invite.guildId)
    if (invite.inviterId !== account.id) requirePermission(access, 'MANAGE_GUILD')
    await aggregates.invite.execute(code, { type: 'DeleteInvite', by: account.id, now: context.now }, context)
  }
}
