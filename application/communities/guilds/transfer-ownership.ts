import { lacking } from '../../../domain/permissions/authority.ts'
import type { TransferOwnership } from '../../../domain/guild/commands.ts'
import type { GuildState } from '../../../domain/guild/state.ts'
import { membershipId, type AccountId, type GuildId } from '../../../domain/ids/ids.ts'
import { requireGuild } from '../../access/guild-access.ts'
import { holdingMembership } from '../../access/holding-membership.ts'
import { holdingOwnership } from '../../access/holding-ownership.ts'
import type { Caller } from '../../caller.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import { guildObject, type GuildObject } from '../../wire-objects/communities/guild-objects.ts'
import type { Ports } from '../../ports.ts'

export type OwnershipNeeds = Pick<Ports, 'aggregates' | 'locks' | 'readModels'>
type Needs = OwnershipNeeds & Pick<Ports, 'queries'>

/**
 * Makes another member the guild's owner; only the owner may. Refuses with UNKNOWN_GUILD, MISSING_ACCESS,
 * MISSING_PERMISSIONS, UNKNOWN_MEMBER, CANNOT_TRANSFER_OWNERSHIP_TO_BOT, and RESOURCE_LOCKED as `holdingMembership` and
 * `holdingOwnership` do. See rules/guilds#transfer.
 */
export function transferOwnership(ports: Needs) {
  return async (caller: Caller, guildId: GuildId, to: AccountId): Promise<GuildObject> => {
    const { aggregates, queries } = ports
    const { account, context } = caller
    // The caller no longer owns a guild that it has transferred, so a repeated command is answered here.
    const earlier = await aggregates.guild.findEarlierTry(guildId, 'TransferOwnership', context)
    if (earlier) return shown(earlier.state)
    const { guild } = await requireGuild(ports, caller, guildId)
    // A bot never satisfies ownership.
    if (account.bot || guild.ownerId !== account.id) reject(lacking('ownership'))
    if (!(await queries.members.find(guildId, to))) reject('UNKNOWN_MEMBER')
    if ((await queries.accounts.find(to))?.bot) reject('CANNOT_TRANSFER_OWNERSHIP_TO_BOT')
    return shown(await makeOwner(ports, guildId, { by: account.id, to }, context))
  }
}

/**
 * Makes a member the owner instead of the present one. Resolves once the read models hold it. Refuses with UNKNOWN_MEMBER
 * for an account that is not a member or is being erased, UNKNOWN_GUILD, MISSING_PERMISSIONS if `by` does not own the
 * guild, and RESOURCE_LOCKED as `holdingMembership` and `holdingOwnership` do.
 */
export function makeOwner(
  ports: OwnershipNeeds,
  guildId: GuildId,
  { by, to }: Pick<TransferOwnership, 'by' | 'to'>,
  context: CommandContext,
): Promise<GuildState> {
  const { aggregates, readModels } = ports
  const act = async (): Promise<GuildState> => {
    const { state: membership } = await aggregates.membership.load(membershipId(guildId, to))
    const { state: heir } = await aggregates.account.load(to)
    // An account that is being erased leaves its guilds, and an owner cannot leave.
    if (membership.status !== 'member' || heir.status !== 'registered') reject('UNKNOWN_MEMBER')
    const { state } = await aggregates.guild.execute(guildId, { type: 'TransferOwnership', by, to }, context)
    await readModels.reached(context.written)
    return state
  }
  return holdingOwnership(ports, to, () => holdingMembership(ports, guildId, to, act))
}

function shown(state: GuildState): GuildObject {
  return state.status === 'active' ? guildObject(state) : reject('UNKNOWN_GUILD')
}
