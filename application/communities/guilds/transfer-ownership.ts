import type { GuildState } from '../../../domain/guild/state.js'
import { membershipId, type AccountId, type GuildId } from '../../../domain/ids/ids.js'
import { requireGuild } from '../../access/guild-access.js'
import { holdingMembership } from '../../access/holding-membership.js'
import { holdingOwnership } from '../../access/holding-ownership.js'
import type { Caller } from '../../caller.js'
import { reject } from '../../commands/refused.js'
import { guildObject, type GuildObject } from '../../wire-objects/communities/guild-objects.js'
import type { Ports } from '../../ports.js'

type Needs = Pick<Ports, 'aggregates' | 'locks' | 'queries' | 'readModels'>

/**
 * Makes another member the guild's owner; only the owner may. Refuses with UNKNOWN_GUILD, MISSING_ACCESS, MISSING_PERMISSIONS,
 * UNKNOWN_MEMBER, CANNOT_TRANSFER_OWNERSHIP_TO_BOT, and RESOURCE_LOCKED as `holdingMembership` and `holdingOwnership` do.
 * Reference gateway 5.4.
 */
export function transferOwnership(ports: Needs) {
  return async (caller: Caller, guildId: GuildId, to: AccountId): Promise<GuildObject> => {
    const { aggregates, queries, readModels } = ports
    const { account, context } = caller
    // The caller no longer owns a guild that it has transferred, so a repeated command is answered here.
    const earlier = await aggregates.guild.repeated(guildId, 'TransferOwnership', context)
    if (earlier) return shown(earlier.state)
    const { guild } = await requireGuild(ports, caller, guildId)
    // A bot never satisfies ownership.
    if (account.bot || guild.ownerId !== account.id) reject('MISSING_PERMISSIONS')
    if (!(await queries.members.find(guildId, to))) reject('UNKNOWN_MEMBER')
    if ((await queries.accounts.find(to))?.bot) reject('CANNOT_TRANSFER_OWNERSHIP_TO_BOT')
    const act = async (): Promise<GuildObject> => {
      const { state: membership } = await aggregates.membership.load(membershipId(guildId, to))
      const { state: heir } = await aggregates.account.load(to)
      // An account in erasure leaves its guilds, which an owner cannot do.
      if (membership.status !== 'member' || heir.status !== 'registered') reject('UNKNOWN_MEMBER')
      const transfer = { type: 'TransferOwnership', by: account.id, to } as const
      const { state } = await aggregates.guild.execute(guildId, transfer, context)
      await readModels.reached(context.written)
      return shown(state)
    }
    return holdingOwnership(ports, to, () => holdingMembership(ports, guildId, to, act))
  }
}

function shown(state: GuildState): GuildObject {
  return state.status === 'active' ? guildObject(state) : reject('UNKNOWN_GUILD')
}
