import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import type { Acting } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import { admitByAdministration } from '../../communities/admission/admit-by-invite.ts'
import { afterJoin, leaveAgain, type JoinUnlessBannedNeeds } from '../../communities/admission/join-unless-banned.ts'
import { refuseBanned } from '../../communities/admission/refuse-banned.ts'
import { countedAmongGuilds, withinGuildsMembers } from '../../communities/admission/within-members.ts'
import type { Ports } from '../../ports.ts'
import { asInstance } from './as-instance.ts'
import { changedGuild } from './changed-guild.ts'

export type AddingNeeds = JoinUnlessBannedNeeds & Pick<Ports, 'limits' | 'reservations'>

/**
 * Makes an account a member of a guild, as the instance, whether or not it asked and in however many guilds it is. Neither an
 * unavailable guild nor one whose invites are disabled is closed to it. Refuses with UNKNOWN_GUILD, UNKNOWN_USER for an account that
 * is not there, USER_BANNED_FROM_GUILD for one that the guild has banned by itself or by its address, and MAX_GUILD_MEMBERS.
 * Resolves once the read models hold it: false for a member, for whom nothing changes.
 */
export function addGuildMember(ports: AddingNeeds) {
  return async ({ context: ordered }: Acting, guildId: GuildId, accountId: AccountId): Promise<boolean> => {
    const { queries } = ports
    const context = asInstance(ordered)
    const guild = (await queries.guilds.find(guildId)) ?? reject('UNKNOWN_GUILD')
    const account = await queries.accounts.find(accountId)
    if (!account || account.isErased) return reject('UNKNOWN_USER')
    if (await queries.members.find(guildId, accountId)) return false
    // The administrator's request does not come from the account's network.
    const newcomer = { accountId, email: account.email, ip: null }
    await refuseBanned(ports, guildId, newcomer, context.now)
    let isNew = false
    await countedAmongGuilds(ports, accountId, () =>
      withinGuildsMembers(ports, guild, async () => {
        isNew = (await admitByAdministration(ports, guildId, newcomer, context)) !== 'member_already'
        await leaveIfErased(ports, { guildId, accountId }, context)
      }),
    )
    return isNew
  }
}

/** The same as an operation of its own: gives the guild, and whether the account is a new member of it. Refuses as `addGuildMember`. */
export function addGuildMemberAsAdmin(ports: AddingNeeds) {
  const add = addGuildMember(ports)
  return async (by: Acting, guildId: GuildId, accountId: AccountId) => {
    const isNew = await add(by, guildId, accountId)
    return { guild: await changedGuild(ports, guildId, by.context), isNew }
  }
}

/** An account whose erasure began meanwhile has left its guilds already, or finds this one among them. */
async function leaveIfErased(
  ports: AddingNeeds,
  joined: { readonly guildId: GuildId; readonly accountId: AccountId },
  context: Acting['context'],
): Promise<void> {
  const { state } = await ports.aggregates.account.load(joined.accountId)
  if (state.status === 'registered') return
  await leaveAgain(ports, joined, afterJoin(context, joined))
  reject('UNKNOWN_USER')
}
