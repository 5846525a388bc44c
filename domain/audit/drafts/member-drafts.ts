import type { AccountId, GuildId } from '../../ids/ids.ts'
import type { MemberChanged, MemberUnbanned, MembershipEvent } from '../../membership/events.ts'
import { memberFlags, type MemberAttributes } from '../../membership/state.ts'
import { auditActions } from '../audit-actions.ts'
import {
  changed,
  created,
  deleted,
  type AuditDraft,
  type AuditOptions,
  type AuditValue,
  type DraftsOf,
} from '../audit-entry.ts'

/** Members: what moderators do to them, and their changes to their own profiles. */
export const memberDrafts: DraftsOf<MembershipEvent> = {
  MemberJoined: ({ guildId, accountId, temporary, admission }) =>
    admission.by === 'bot_installation'
      ? [{ ...aboutMember(guildId, accountId), actionType: auditActions.BOT_ADD, options: { temporary }, changes: [] }]
      : [],
  MemberKicked: ({ guildId, accountId }) => [
    { ...aboutMember(guildId, accountId), actionType: auditActions.MEMBER_KICK, options: {}, changes: [] },
  ],
  MemberBanned: (data) => {
    const { guildId, accountId } = data
    const changes = created(banValues(data))
    const about = aboutMember(guildId, accountId, personalOfBan)
    return [{ ...about, actionType: auditActions.MEMBER_BAN_ADD, options: askedDeletion(data), changes }]
  },
  MemberUnbanned: (data) => {
    const { guildId, accountId } = data
    const changes = deleted(banValues(data))
    const about = aboutMember(guildId, accountId, personalOfBan)
    return [{ ...about, actionType: auditActions.MEMBER_BAN_REMOVE, options: {}, changes }]
  },
  MemberChanged: (data) => {
    const { guildId, accountId } = data
    if (isOfFlags(data)) return []
    const changes = memberChanges(data)
    const about = aboutMember(guildId, accountId, textKeys)
    return [{ ...about, actionType: auditActions.MEMBER_UPDATE, options: {}, changes }]
  },
  MemberRolesChanged: ({ guildId, accountId, roles, before }) => {
    const changes = changed(before === undefined ? {} : { roles: before }, { roles })
    return [{ ...aboutMember(guildId, accountId), actionType: auditActions.MEMBER_ROLE_UPDATE, options: {}, changes }]
  },
}

type Values = Readonly<Record<string, AuditValue>>

/** For acts of moderators on a member, the personal parts are the reason and the changes with these keys. */
function aboutMember(
  guildId: GuildId,
  accountId: AccountId,
  keys: readonly string[] = [],
): Pick<AuditDraft, 'guildId' | 'targetId' | 'personal'> {
  return { guildId, targetId: accountId, personal: { accountId, keys } }
}

const textKeys = ['nick', 'bio', 'pronouns']
const personalOfBan = ['reason', 'ip']

function banValues(ban: MemberUnbanned): Values {
  return {
    user_id: ban.accountId,
    moderator_id: ban.moderatorId,
    banned_at: ban.bannedAt,
    expires_at: ban.expiresAt,
    reason: ban.reason,
    ip: ban.ip,
  }
}

/** Only the part that the request asked for. */
function askedDeletion({
  deleteMessageDays: days,
  deleteMessageSeconds: seconds,
}: {
  readonly deleteMessageDays: number | null
  readonly deleteMessageSeconds: number | null
}): AuditOptions {
  return {
    ...(days === null ? {} : { delete_member_days: days.toString() }),
    ...(seconds === null ? {} : { delete_message_seconds: seconds }),
  }
}

/** Whether only flags differ, which have no key in the audit log. Decided without the texts: erasure removes them. */
function isOfFlags({ after }: MemberChanged): boolean {
  const names = Object.keys(after)
  return names.length > 0 && names.every((name) => memberFlags.some((flags) => flags === name))
}

/** Texts are included only if they differ. */
function memberChanges({ before, after, textsBefore, textsAfter }: MemberChanged) {
  const all = changed(memberValues({ ...before, ...textsBefore }), memberValues({ ...after, ...textsAfter }))
  return all.filter(({ old_value: old, new_value: now }) => old !== now)
}

function memberValues(values: Partial<MemberAttributes>): Values {
  const { nick, avatar, banner, bio, pronouns, accentColor, deaf, mute, communicationDisabledUntil: until } = values
  const images = { avatar_hash: avatar, banner_hash: banner }
  const facts = { accent_color: accentColor, deaf, mute, communication_disabled_until: until }
  const keyed = { nick, ...images, bio, pronouns, ...facts }
  return Object.fromEntries(
    Object.entries(keyed).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )
}
