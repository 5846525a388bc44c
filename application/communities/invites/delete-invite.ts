import { lacking } from '../../../domain/permissions/authority.ts'
import type { InviteCode } from '../../../domain/ids/ids.ts'
import { requireGuild, requirePermission } from '../../access/guild-access.ts'
import { requirePrivateChannel } from '../../access/private-channel-access.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { GroupInviteRecord, InviteRecord } from '../../ports/queries/invite-queries.ts'
import type { Ports } from '../../ports.ts'
import { findInvite } from './find-invite.ts'
import { findWithinGuesses } from './invite-guesses.ts'

type Needs = Pick<Ports, 'aggregates' | 'queries' | 'allowances'>

/**
 * Deletes an invite. Its creator may, and holders of MANAGE_GUILD; for a group, its owner. Refuses with RATE_LIMITED after too
 * many unknown codes, UNKNOWN_INVITE, also for a custom invite URL, UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS, and
 * TWO_FACTOR_REQUIRED for callers other than the creator. For a private channel, refuses with UNKNOWN_CHANNEL for callers who are
 * not recipients, and with MISSING_PERMISSIONS (rules/invites#delete).
 */
export function deleteInvite(ports: Needs) {
  return async (caller: Caller, code: InviteCode): Promise<void> => {
    const found = await findWithinGuesses(ports, caller, code, () => findInvite(ports, code, caller.context))
    if (!found || found.kind === 'custom') return reject('UNKNOWN_INVITE')
    if (found.kind === 'guild') await deleteGuildInvite(ports, caller, found.invite)
    else await deleteGroupInvite(ports, caller, found.invite)
  }
}

async function deleteGuildInvite(
  { aggregates, queries }: Needs,
  caller: Caller,
  { code, guildId, inviterId }: InviteRecord,
): Promise<void> {
  const { account, context } = caller
  const access = await requireGuild({ queries }, caller, guildId)
  if (inviterId !== account.id) requirePermission(access, 'MANAGE_GUILD')
  await aggregates.invite.execute(code, { type: 'DeleteInvite', by: account.id, now: context.now }, context)
}

async function deleteGroupInvite(
  { aggregates, queries }: Needs,
  caller: Caller,
  { code, channelId }: GroupInviteRecord,
): Promise<void> {
  const { account, context } = caller
  const { ownerId, recipients } = await requirePrivateChannel({ queries }, caller, channelId)
  if (ownerId !== account.id) reject(lacking('ownership'))
  const command = { type: 'DeleteInvite', by: account.id, recipients, now: context.now } as const
  await aggregates.invite.execute(code, command, context)
}
