import type { Guild } from '../../../domain/guild/state.ts'
import type { ChannelId } from '../../../domain/ids/ids.ts'
import { compareSnowflakes } from '../../../domain/ids/snowflake.ts'
import type { Membership } from '../../../domain/membership/state.ts'
import { computePermissions, holds, type PermissionMember } from '../../../domain/permissions/compute-permissions.ts'
import type { PermissionName } from '../../../domain/permissions/permission-bits.ts'
import type { Payload } from './client.ts'
import type { Account, Place, Stage } from './stage.ts'

/** What a list of members is computed from, from scratch. */
export interface Listable {
  readonly stage: Stage
  readonly place: Place
  readonly people: readonly Account[]
  /** How others see them now. */
  readonly statusOf: (account: Account) => string
}

function guildOf({ stage, place }: Listable): Guild {
  const guild = stage.models.guilds.get(place.id)
  if (guild?.status !== 'active') throw new Error('the guild is gone')
  return guild
}

function membersOf({ stage, place, people }: Listable): readonly (Membership & { readonly account: Account })[] {
  return people.flatMap((account) => {
    const member = stage.models.members.get(`${place.id} ${account.id}`)
    return member?.status === 'member' ? [{ ...member, account }] : []
  })
}

/** Whether an account holds permissions in a channel of the guild. */
export function holdsIn(
  from: Listable,
  channel: ChannelId,
  { id }: Account,
  ...names: readonly PermissionName[]
): boolean {
  const member = membersOf(from).find(({ accountId }) => accountId === id)
  return member !== undefined && permits(from, channel, member, names)
}

function permits(
  from: Listable,
  channel: ChannelId,
  member: PermissionMember,
  names: readonly PermissionName[],
): boolean {
  const guild = guildOf(from)
  const overwrites = guild.channels.find(({ id }) => id === channel)?.overwrites
  return overwrites !== undefined && holds(computePermissions(guild, member, overwrites), ...names)
}

/** The rows of a channel's list, as `rowsIn` gives those of a dispatch. */
export function listFromScratch(from: Listable, channel: ChannelId): readonly string[] {
  const guild = guildOf(from)
  const hoisted = guild.roles
    .filter(({ hoist }) => hoist)
    .toSorted((one, other) => other.position - one.position || compareSnowflakes(one.id, other.id))
  const viewers = membersOf(from).filter((member) => permits(from, channel, member, ['VIEW_CHANNEL']))
  const groupOf = ({ account, roles }: (typeof viewers)[number]): string => {
    if (from.statusOf(account) === 'offline') return 'offline'
    return hoisted.find(({ id }) => roles.includes(id))?.id ?? 'online'
  }
  return [...hoisted.map(({ id }): string => id), 'online', 'offline'].flatMap((group) => {
    const inGroup = viewers.filter((member) => groupOf(member) === group)
    if (inGroup.length === 0) return []
    // They are named after their ids, and nobody has a nickname.
    const sorted = inGroup.toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1))
    const rows = sorted.map(({ account, roles }) => {
      const held = roles.filter((id) => guild.roles.some((role) => role.id === id))
      return `${account.id} ${from.statusOf(account)} ${held.join()}`
    })
    return [`${group} ${inGroup.length}`, ...rows]
  })
}

interface Item {
  readonly group?: { readonly id: string; readonly count: number }
  readonly member?: {
    readonly user: { readonly id: string }
    readonly roles: readonly string[]
    readonly presence: { readonly status: string }
  }
}

/** The rows in a dispatch of one range. */
export function rowsIn({ d }: Payload): readonly string[] {
  const [{ items = [] } = {}] = d['ops'] as readonly { readonly items?: readonly Item[] }[]
  return items.map(({ group, member }) =>
    group ? `${group.id} ${group.count}` : `${member?.user.id} ${member?.presence.status} ${member?.roles.join()}`,
  )
}

type ShownItem =
  | { readonly group: { readonly id: string; readonly count: number } }
  | {
      readonly member: { readonly user: { readonly username: string }; readonly presence: { readonly status: string } }
    }

/** What an answer has, in short. */
export function shown({ d }: Payload): unknown {
  const { member_count, online_count, groups, ops } = d as {
    readonly member_count: number
    readonly online_count: number
    readonly groups: readonly { readonly id: string; readonly count: number }[]
    readonly ops: readonly { readonly op: string; readonly range: unknown; readonly items: readonly ShownItem[] }[]
  }
  const rows = ops.flatMap(({ items }) =>
    items.map((item) =>
      'group' in item
        ? `${item.group.id} ${item.group.count}`
        : `${item.member.user.username} ${item.member.presence.status}`,
    ),
  )
  return { counts: [member_count, online_count], groups: groups.map(({ id, count }) => `${id} ${count}`), rows }
}
