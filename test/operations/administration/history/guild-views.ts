import { threadPermissions } from '../../../../domain/permissions/permission-bits.ts'
import type { TestAccount, TestGuildhall } from '../../../support/test-guildhall.ts'
import { bodyOf, listOf } from '../../support/answers.ts'

type Members = Readonly<Record<string, unknown>>
type ById = Readonly<Record<string, unknown>>

/** What both the read models and history tell of a guild, in one form. */
export interface GuildView {
  readonly guild: unknown
  readonly roles: ById
  readonly channels: ById
  readonly members: ById
  readonly bans: ById
  readonly invites: ById
}

/** The guild as its owner reads it now. */
export async function viewNow({ request }: TestGuildhall, { token }: TestAccount, guildId: string): Promise<GuildView> {
  const get = (below: string) => request('GET', `/v1/guilds/${guildId}${below}`, { token })
  const lists = ['/roles', '/channels', '/members?limit=1000', '/bans', '/invites']
  const [answer, ...answers] = await Promise.all(['', ...lists].map(get))
  const [roles = [], channels = [], members = [], bans = [], invites = []] = answers.map(listOf)
  const guild = answer ? bodyOf(answer) : {}
  return {
    guild: [guild['name'], guild['owner_id'], guild['verification_level'], guild['system_channel_id']],
    roles: byId(roles, 'id', ({ name, permissions, position, hoist }) => [name, visible(permissions), position, hoist]),
    channels: byId(channels, 'id', ({ name, type, position, ...channel }) => {
      return [name, type, position, channel['parent_id'] ?? null, overwritesOf(channel['permission_overwrites'])]
    }),
    members: byId(members.map(flat), 'user_id', ({ nick, roles: held, joined_at: at }) => [nick, sorted(held), at]),
    bans: byId(bans.map(flat), 'user_id', ({ moderator_id: by, reason, banned_at: at, expires_at: end = null }) => {
      return [by, reason, at, end]
    }),
    invites: byId(invites, 'code', ({ uses, max_uses: max, max_age: age, created_at: at }) => [uses, max, age, at]),
  }
}

/** The same guild at a moment, as history has it, for a reader who sees what is personal. */
export async function viewAt(
  { request }: TestGuildhall,
  { token }: TestAccount,
  guildId: string,
  at: string,
): Promise<GuildView> {
  const found = bodyOf(await request('GET', `/v1/admin/history/guilds/${guildId}?at=${at}&reveal=true`, { token }))
  const settings = found['settings'] as Members
  const list = (name: string) => found[name] as readonly Members[]
  const members = list('members')
  if (found['member_count'] !== members.length) throw new Error('The members are not counted as they are listed')
  return {
    guild: [found['name'], found['owner_id'], settings['verificationLevel'], settings['systemChannelId']],
    roles: byId(list('roles'), 'id', ({ name, permissions, position, hoist }) => {
      return [name, visible(permissions), position, hoist]
    }),
    channels: byId(list('channels'), 'id', ({ name, type, position, parentId, overwrites }) => {
      return [name, type, position, parentId, overwritesOf(overwrites)]
    }),
    members: byId(members, 'account_id', ({ nick, roles, joined_at: joined }) => [nick, sorted(roles), joined]),
    bans: byId(list('bans'), 'account_id', ({ moderator_id: by, reason, banned_at: at, expires_at: end }) => {
      return [by, reason, at, end]
    }),
    invites: byId(list('invites'), 'code', ({ state }) => {
      const { uses, terms } = state as { readonly uses: number; readonly terms: Members }
      return [uses, terms['maxUses'], terms['maxAge'], terms['createdAt']]
    }),
  }
}

function byId(items: readonly Members[], id: string, told: (item: Members) => readonly unknown[]): ById {
  return Object.fromEntries(items.map((item) => [String(item[id]), told(item)]))
}

/** The account of an object with a user, as a member of its own. */
function flat(item: Members): Members {
  return { ...item, user_id: (item['user'] as { readonly id: string }).id }
}

function overwritesOf(overwrites: unknown): unknown {
  return byId(overwrites as readonly Members[], 'id', ({ type, allow, deny }) => [type, visible(allow), visible(deny)])
}

/** A mask as clients without threads see it. */
const visible = (mask: unknown): string => (BigInt(String(mask)) & ~threadPermissions).toString()

const sorted = (ids: unknown): readonly string[] => (ids as readonly string[]).toSorted()
