import { describe, expect, it } from 'vitest'
import type { AuditDraft } from '../../../domain/audit/audit-entry.ts'
import { memberDrafts } from '../../../domain/audit/drafts/member-drafts.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import type { MemberBanned, MemberChanged } from '../../../domain/membership/events.ts'
import { ada, home, moderator, role, start } from '../../../domain/testing/people.ts'

const ids = { guildId: home, accountId: ada }
const noTexts = { nick: null, bio: null, pronouns: null }
const later = secondsAfter(start, 60)

const changesOf = (drafts: readonly AuditDraft[] | undefined) => drafts?.map(({ changes }) => changes)
const change = (changes: Partial<MemberChanged>): MemberChanged => ({
  ...ids,
  before: {},
  after: {},
  textsBefore: null,
  textsAfter: null,
  timeoutReason: null,
  ...changes,
})
const ban: MemberBanned = {
  ...ids,
  moderatorId: moderator,
  wasMember: true,
  reason: 'spam',
  bannedAt: start,
  expiresAt: later,
  email: 'ada@example.com',
  ip: '198.51.100.7',
  deleteMessageSeconds: null,
  deleteMessageDays: null,
}
const banValues = { user_id: ada, moderator_id: moderator, banned_at: start, expires_at: later, reason: 'spam' }

describe('the audit entries of members', () => {
  it('say of a kick whom it was, and never any changes', () => {
    expect(memberDrafts.MemberKicked?.({ ...ids, kickedAt: start })).toStrictEqual([
      {
        guildId: home,
        actionType: 20,
        targetId: ada,
        options: {},
        changes: [],
        personal: { accountId: ada, keys: [] },
      },
    ])
  })

  it('say of a ban all of its fields, new, and what was asked to be deleted', () => {
    const [draft] = memberDrafts.MemberBanned?.(ban) ?? []
    expect(draft).toMatchObject({ actionType: 22, targetId: ada, options: {} })
    const wanted = Object.entries({ ...banValues, ip: ban.ip }).map(([key, value]) => ({ key, new_value: value }))
    expect(draft?.changes).toStrictEqual(wanted)
    const asked = memberDrafts.MemberBanned?.({ ...ban, deleteMessageSeconds: 0, deleteMessageDays: 7 })
    expect(asked?.[0]?.options).toStrictEqual({ delete_member_days: '7', delete_message_seconds: 0 })
  })

  it('say of a ban that was lifted all of its fields, old', () => {
    const { moderatorId, reason, bannedAt, expiresAt, ip } = ban
    const [draft] = memberDrafts.MemberUnbanned?.({ ...ids, moderatorId, reason, bannedAt, expiresAt, ip }) ?? []
    expect(draft).toMatchObject({ actionType: 23, targetId: ada, options: {} })
    const wanted = Object.entries({ ...banValues, ip }).map(([key, value]) => ({ key, old_value: value }))
    expect(draft?.changes).toStrictEqual(wanted)
  })

  it('say of a member what differs, by the keys of the log', () => {
    const given = change({
      before: { mute: false, communicationDisabledUntil: null, accentColor: 1, profileFlags: 0 },
      after: { mute: true, communicationDisabledUntil: later, accentColor: null, profileFlags: 1 },
      textsBefore: { ...noTexts, bio: 'Poet' },
      textsAfter: { ...noTexts, bio: 'Poet', nick: 'Countess' },
    })
    expect(memberDrafts.MemberChanged?.(given)).toMatchObject([{ actionType: 24, targetId: ada, options: {} }])
    expect(changesOf(memberDrafts.MemberChanged?.(given))).toStrictEqual([
      [
        { key: 'nick', old_value: null, new_value: 'Countess' },
        { key: 'accent_color', old_value: 1, new_value: null },
        { key: 'mute', old_value: false, new_value: true },
        { key: 'communication_disabled_until', old_value: null, new_value: later },
      ],
    ])
  })

  it('are none of flags alone, which the log has no keys for', () => {
    const flags = { before: { profileFlags: 0, mentionFlags: 0 }, after: { profileFlags: 1, mentionFlags: 1 } }
    expect(memberDrafts.MemberChanged?.(change(flags))).toStrictEqual([])
  })

  it('stay without what was personal, once the account is erased', () => {
    expect(memberDrafts.MemberChanged?.(change({}))).toMatchObject([{ actionType: 24, changes: [] }])
    expect(memberDrafts.MemberBanned?.(ban)?.[0]?.personal).toStrictEqual({ accountId: ada, keys: ['reason', 'ip'] })
  })

  it('say of roles those before and those after', () => {
    const given = { ...ids, roles: [role(1), role(2)], before: [role(1)] }
    expect(memberDrafts.MemberRolesChanged?.(given)).toMatchObject([{ actionType: 25, targetId: ada, options: {} }])
    expect(changesOf(memberDrafts.MemberRolesChanged?.(given))).toStrictEqual([
      [{ key: 'roles', old_value: [role(1)], new_value: [role(1), role(2)] }],
    ])
  })
})
