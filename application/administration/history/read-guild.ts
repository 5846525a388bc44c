import type { GuildId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import { guildAt, type GuildAt, type GuildQuestion } from './guild-at.ts'
import type { Revealed } from './masked-event.ts'
import { revealedTo } from './read-stream.ts'

/** A guild at a moment, as an answer has it. */
export type GuildHistoryObject = ReturnType<typeof guildHistoryObject>

/** A guild at a moment, for administrators. Refuses as `guildAt` (rules/administration#history). */
export function readGuild(ports: Pick<Ports, 'events' | 'queries'>) {
  return (
    caller: Caller,
    guildId: GuildId,
    { reveal, ...question }: GuildQuestion & { readonly reveal: boolean },
  ): Promise<GuildHistoryObject> => readGuildAs(ports, revealedTo(caller, reveal), guildId, question)
}

/** A guild at a moment, for a reader who sees what `revealed` says. Refuses as `guildAt`. */
export async function readGuildAs(
  ports: Pick<Ports, 'events' | 'queries'>,
  revealed: Revealed,
  guildId: GuildId,
  question: GuildQuestion,
): Promise<GuildHistoryObject> {
  return guildHistoryObject(guildId, await guildAt({ ...ports, revealed }, guildId, question))
}

function guildHistoryObject(guildId: GuildId, found: GuildAt) {
  const { state, members, memberCount, bans, banCount, invites, directory } = found
  const active = state.status === 'active' ? state : undefined
  // A membership keeps the roles that were deleted: they count again if they come back.
  const roleIds = new Set<string>(active?.roles.map(({ id }) => id))
  return {
    guild_id: guildId,
    status: state.status,
    name: active?.name ?? null,
    owner_id: state.status === 'absent' ? null : state.ownerId,
    created_at: active?.createdAt ?? null,
    features: active?.features ?? [],
    settings: active?.settings ?? null,
    roles: active?.roles ?? [],
    channels: active?.channels ?? [],
    member_count: memberCount,
    members: members.map(
      ([
        id,
        {
          state: { nick, roles, joinedAt },
        },
      ]) => {
        return { account_id: id, nick, roles: roles.filter((role) => roleIds.has(role)), joined_at: joinedAt }
      },
    ),
    ban_count: banCount,
    bans: bans.map(
      ([
        id,
        {
          state: { moderatorId, reason, bannedAt, expiresAt },
        },
      ]) => {
        return { account_id: id, moderator_id: moderatorId, reason, banned_at: bannedAt, expires_at: expiresAt }
      },
    ),
    invites: invites.map(([code, invite]) => ({ code, state: invite.state })),
    directory: directory?.state ?? null,
    left_out: [
      ...found.leftOut,
      ...members.flatMap(([id, { leftOut }]) => within(`/members/${id}`, leftOut, ['/nick'])),
      ...bans.flatMap(([id, { leftOut }]) => within(`/bans/${id}`, leftOut, ['/reason'])),
      ...invites.flatMap(([code, { leftOut }]) => within(`/invites/${code}/state`, leftOut)),
      ...within('/directory', directory?.leftOut ?? []),
    ],
  }
}

/** What is left out of a part of the answer, by its path in the whole; of these members, where the answer has no others. */
function within(part: string, leftOut: readonly string[], answered?: readonly string[]): readonly string[] {
  return leftOut.filter((path) => answered?.includes(path) ?? true).map((path) => `${part}${path}`)
}
