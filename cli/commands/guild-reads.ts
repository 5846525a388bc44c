import type { z } from 'zod'
import {
  guildBans,
  guildChannels,
  guildInvites,
  guildMembers,
  guildRoles,
  listedGuilds,
} from '../../adapters/http/schemas/administration/guild-reads.ts'
import type { GuildId } from '../../domain/ids/ids.ts'
import { readAsOperator, type Print } from '../operator/act-on.ts'
import { RefusedToOperator } from '../operator/carry-out-as-operator.ts'
import { guildIn } from './guild-named.ts'
import { channelLines, roleLine } from './printed-guild.ts'

export interface JsonOption {
  readonly json?: boolean
}

export interface ListGuildsOptions extends JsonOption {
  readonly limit: string
  readonly offset: string
}

export interface AccountsPageOptions extends JsonOption {
  readonly limit: string
  /** The account after which they begin. */
  readonly after?: string
}

export interface MembersOptions extends AccountsPageOptions {
  /** What their names begin with. */
  readonly name?: string
  /** The code of the invite that admitted them. */
  readonly invite?: string
}

/** Prints a page of the guilds that a text finds, or of all, oldest first. */
export async function listGuilds(text: string | undefined, options: ListGuildsOptions, print: Print): Promise<void> {
  const { limit, offset } = options
  const query = { limit, offset, ...(text !== undefined && { q: text }) }
  const reply = await readAsOperator({ operation: 'List Admin guilds', query }, print)
  if (options.json === true) return print(JSON.stringify(reply))
  const { guilds, total } = listedGuilds.parse(reply)
  for (const { id, name, member_count: members, owner_id: owner, ...guild } of guilds) {
    const tag = guild.owner_username === null ? '' : ` ${guild.owner_username}#${guild.owner_discriminator}`
    print(`${id}  ${JSON.stringify(name)}, ${members} members, owned by account ${owner}${tag}`)
  }
  print(`${guilds.length} of ${total} guilds`)
}

/** Prints a page of the members of a guild, by account id, each with how it came in. */
export async function listMembers(text: string, options: MembersOptions, print: Print): Promise<void> {
  const { name: q, invite, limit, after } = options
  const id = guildIn(text)
  const reply = await readOfGuild('List Admin guild members', id, { limit, after, q, invite }, print)
  if (options.json === true) return print(JSON.stringify(reply))
  const { members } = guildMembers.parse(reply)
  for (const member of members) print(memberLine(member))
  if (members.length === 0) print('No member.')
}

/** Prints the channels of a guild with their overwrites. */
export async function listChannels(text: string, { json }: JsonOption, print: Print): Promise<void> {
  const reply = await readOfGuild('List Admin guild channels', guildIn(text), {}, print)
  if (json === true) return print(JSON.stringify(reply))
  for (const channel of guildChannels.parse(reply).channels) {
    const { parent_id: parentId = null, permission_overwrites: overwrites } = channel
    for (const line of channelLines({ ...channel, parentId, overwrites }, new Map())) print(line)
  }
}

/** Prints the roles of a guild, the highest first. */
export async function listRoles(text: string, { json }: JsonOption, print: Print): Promise<void> {
  const reply = await readOfGuild('List Admin guild roles', guildIn(text), {}, print)
  if (json === true) return print(JSON.stringify(reply))
  for (const role of guildRoles.parse(reply).roles) print(roleLine(role))
}

/** Prints the invites to a guild that can still admit, newest first, and its custom invite URL. */
export async function listInvites(text: string, { json }: JsonOption, print: Print): Promise<void> {
  const reply = await readOfGuild('List Admin guild invites', guildIn(text), {}, print)
  if (json === true) return print(JSON.stringify(reply))
  const { invites, vanity_url: custom } = guildInvites.parse(reply)
  for (const invite of invites) print(inviteLine(invite))
  if (custom.code !== null) print(`${custom.code}  the custom invite URL, used ${custom.uses} times`)
  if (invites.length === 0 && custom.code === null) print('No invite.')
}

/** Prints a page of the bans of a guild that are in force, by account id. */
export async function listBans(text: string, options: AccountsPageOptions, print: Print): Promise<void> {
  const { limit, after } = options
  const reply = await readOfGuild('List Admin guild bans', guildIn(text), { limit, after }, print)
  if (options.json === true) return print(JSON.stringify(reply))
  const { bans } = guildBans.parse(reply)
  for (const { user, moderator, reason, banned_at: at, expires_at: until } of bans)
    print(
      `account ${tagOf(user)}, banned ${at} by account ${tagOf(moderator)}, until ${until ?? 'it is lifted'}${reason === null ? '' : `, reason: ${reason}`}`,
    )
  if (bans.length === 0) print('No ban.')
}

/** What an operation on a guild answers. Rejects with a line for the operator if there is no such guild. */
async function readOfGuild(operation: string, id: GuildId, query: object, print: Print): Promise<unknown> {
  try {
    return await readAsOperator({ operation, params: { guild_id: id }, query }, print)
  } catch (error) {
    if (!(error instanceof RefusedToOperator) || error.code !== 'UNKNOWN_GUILD') throw error
    throw new Error(`There is no guild ${id}`, { cause: error })
  }
}

type Tagged = z.output<typeof guildBans>['bans'][number]['user']

const tagOf = ({ id, username, discriminator }: Tagged): string => `${id} ${username}#${discriminator}`

function memberLine(member: z.output<typeof guildMembers>['members'][number]): string {
  const { user, nick, joined_at: joinedAt, roles, admitted_by: by, invite_code: code, inviter_id: inviter } = member
  return [
    `account ${tagOf(user)}${nick === null ? '' : ` ${JSON.stringify(nick)}`}`,
    `joined ${joinedAt} by ${by}${code === null ? '' : ` ${code}`}${inviter === null ? '' : ` of account ${inviter}`}`,
    ...(roles.length === 0 ? [] : [`roles ${roles.join(' ')}`]),
    ...(member.temporary ? ['temporary'] : []),
    ...(member.communication_disabled_until === null ? [] : [`timed out until ${member.communication_disabled_until}`]),
  ].join(', ')
}

function inviteLine(invite: z.output<typeof guildInvites>['invites'][number]): string {
  const { code, channel_id: channel, channel_name: name, inviter, uses, max_uses: most, expires_at: until } = invite
  return [
    `${code}  to channel ${channel}${name === null ? ', which is deleted' : ` ${JSON.stringify(name)}`}`,
    `by ${inviter ? `account ${tagOf(inviter)}` : 'an account that is gone'}`,
    `used ${uses}${most === 0 ? '' : ` of ${most}`} times`,
    `made ${invite.created_at}, until ${until ?? 'it is deleted'}`,
    ...(invite.temporary ? ['for temporary memberships'] : []),
  ].join(', ')
}
