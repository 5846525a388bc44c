import { permissionsText } from '../../application/administration/history/changes-in-words.ts'
import type { GuildHistoryObject } from '../../application/administration/history/read-guild.ts'
import { channelTypes } from '../../domain/guild/channel.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import { printedMembers } from './printed-members.ts'
import type { Print } from './printed-events.ts'

/** A role, of a state or of an answer. */
export interface PrintedRole {
  readonly id: string
  readonly name: string
  readonly position: number
  readonly permissions: string
}

/** A channel, of a state or of an answer. */
export interface PrintedChannel {
  readonly id: string
  readonly name: string
  readonly type: number
  readonly position: number
  readonly parentId: string | null
  readonly overwrites: readonly {
    readonly id: string
    readonly type: number
    readonly allow: string
    readonly deny: string
  }[]
}

/** Prints a guild as it was at a time, or as it is now, for people. */
export function printGuild(found: GuildHistoryObject, at: Timestamp | undefined, print: Print): void {
  const { guild_id: id, status, name, owner_id: owner, created_at: createdAt, features } = found
  print(`Guild ${id}${name === null ? '' : ` ${JSON.stringify(name)}`}, ${at ?? 'now'}: ${status}`)
  print(`owned by account ${owner ?? 'none'}${createdAt === null ? '' : `, founded ${createdAt}`}`)
  print(`features: ${features.join(', ') || 'none'}`)
  printPart('Settings', printedMembers(found.settings ?? {}), print)
  printPart(`Roles, ${found.roles.length}`, found.roles.map(roleLine), print)
  const names = new Map<string, string>(found.roles.map((role) => [role.id, role.name]))
  printPart(
    `Channels, ${found.channels.length}`,
    found.channels.flatMap((channel) => channelLines(channel, names)),
    print,
  )
  printPeople(found, names, print)
  printPart(
    `Invites, ${found.invites.length}`,
    found.invites.map(({ code, state }) => `${code}  ${JSON.stringify(state)}`),
    print,
  )
  if (found.directory !== null) print(`Directory: ${JSON.stringify(found.directory)}`)
  if (found.left_out.length > 0) print(`Left out, as personal: ${found.left_out.join(', ')}`)
}

function printPeople(found: GuildHistoryObject, names: ReadonlyMap<string, string>, print: Print): void {
  const { members, member_count: count, bans, ban_count: banCount } = found
  printPart(
    `Members, ${members.length} of ${count}`,
    members.map(({ account_id: account, joined_at: joinedAt, roles }) => {
      const held = roles.map((role) => names.get(role) ?? role).join(', ')
      return `account ${account}, joined ${joinedAt}${held === '' ? '' : `, roles ${held}`}`
    }),
    print,
  )
  printPart(
    `Bans, ${bans.length} of ${banCount}`,
    bans.map(
      ({ account_id: account, moderator_id: moderator, banned_at: bannedAt, expires_at: expiresAt }) =>
        `account ${account}, banned ${bannedAt} by account ${moderator}, until ${expiresAt ?? 'it is lifted'}`,
    ),
    print,
  )
}

function printPart(title: string, lines: readonly string[], print: Print): void {
  print(`${title}${lines.length === 0 ? '' : ':'}`)
  for (const line of lines) print(`  ${line}`)
}

/** A role on a line. */
export const roleLine = ({ id, name, position, permissions }: PrintedRole): string =>
  `${JSON.stringify(name)}, role ${id}, position ${position}: ${permissionsText(permissions)}`

/** A channel on a line, and each of its overwrites on another. Roles without a name are given by their ids. */
export function channelLines(channel: PrintedChannel, names: ReadonlyMap<string, string>): readonly string[] {
  const { id, name, type, position, parentId, overwrites } = channel
  const kind = Object.entries(channelTypes).find(([, number]) => number === type)?.[0] ?? type
  const parent = parentId === null ? '' : `, in ${parentId}`
  return [
    `${JSON.stringify(name)}, ${kind} channel ${id}, position ${position}${parent}`,
    ...overwrites.map(({ id: whose, type: of, allow, deny }) => {
      const named = of === 0 ? `role ${JSON.stringify(names.get(whose) ?? whose)}` : `account ${whose}`
      return `  for ${named}: allows ${permissionsText(allow)}, denies ${permissionsText(deny)}`
    }),
  ]
}
