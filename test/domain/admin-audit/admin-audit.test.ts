import { describe, expect, it } from 'vitest'
import { accessOf } from '../../../domain/admin-audit/access-of.ts'
import { adminAudit } from '../../../domain/admin-audit/admin-audit.ts'
import { chainedText, personalText } from '../../../domain/admin-audit/chained-text.ts'
import type { AdminActionRecorded, AdminAuditEvent } from '../../../domain/admin-audit/events.ts'
import { newest_max } from '../../../domain/admin-audit/state.ts'
import { entryId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { adminAuditCommands } from '../../../domain/testing/commands/admin-arbitraries.ts'
import { ada, grace, start } from '../../../domain/testing/people.ts'
import { laws } from '../../support/laws.ts'

laws('adminAudit', adminAuditCommands)

const id = (number: number) => entryId(snowflake(String(700_000 + number)))
const entry = (number: number, more: Partial<AdminActionRecorded> = {}): AdminActionRecorded => ({
  entryId: id(number),
  adminId: ada,
  credential: 'session',
  action: 'set_acls',
  targetType: 'user',
  targetId: grace,
  metadata: { acls: '*', b: '1' },
  personalMetadata: null,
  personalHash: null,
  reason: 'because',
  actedAt: start,
  previousHash: number === 1 ? null : `h${number - 1}`,
  hash: `h${number}`,
  ...more,
})
const record = (data: AdminActionRecorded) => ({ type: 'RecordAdminAction', ...data }) as const
const recorded = (data: AdminActionRecorded): AdminAuditEvent => ({ type: 'AdminActionRecorded', data })
const refusal = { entryId: id(1), adminId: ada, code: 'CONFLICT' } as const

describe('the admin audit log', () => {
  it('takes an entry behind the one that its hash covers', () => {
    given(adminAudit, [])
      .when(record(entry(1)))
      .then(recorded(entry(1)))
    given(adminAudit, [recorded(entry(1))])
      .when(record(entry(2)))
      .then(recorded(entry(2)))
  })
  it('refuses one whose hash covers another: somebody was faster', () => {
    given(adminAudit, [recorded(entry(1))])
      .when(record(entry(3)))
      .refuses('CONFLICT')
    given(adminAudit, [])
      .when(record(entry(2)))
      .refuses('CONFLICT')
  })
  it('takes an entry once', () => {
    given(adminAudit, [recorded(entry(1)), recorded(entry(2))])
      .when(record(entry(1)))
      .changesNothing()
  })
  it('notes once that an act came to nothing, outside the chain, and takes an entry where it succeeds after all', () => {
    const refused: AdminAuditEvent = { type: 'AdminActionRefused', data: refusal }
    given(adminAudit, [])
      .when({ type: 'RefuseAdminAction', ...refusal })
      .then(refused)
    given(adminAudit, [refused])
      .when({ type: 'RefuseAdminAction', ...refusal })
      .changesNothing()
    given(adminAudit, [refused])
      .when(record(entry(1)))
      .then(recorded(entry(1)))
    given(adminAudit, [recorded(entry(1))])
      .when({ type: 'RefuseAdminAction', ...refusal })
      .changesNothing()
    given(adminAudit, [refused])
      .when(record(entry(2, { previousHash: null })))
      .then(recorded(entry(2, { previousHash: null })))
  })
  it('remembers a bounded number of entries', () => {
    const state = fold(
      adminAudit,
      Array.from({ length: newest_max + 5 }, (_, index) => recorded(entry(index + 1))),
    )
    expect(state).toMatchObject({ status: 'begun', hash: `h${newest_max + 5}` })
    expect(state.status === 'begun' && state.newest).toHaveLength(newest_max)
  })
  property('is a chain, whatever is tried', histories(adminAudit, adminAuditCommands), ({ events }) => {
    let end: string | null = null
    for (const { type, data } of events) {
      if (type !== 'AdminActionRecorded') continue
      expect(data.previousHash).toBe(end)
      end = data.hash
    }
  })
})

describe('what a hash is taken of', () => {
  it('changes with every member of the entry, and with the entry before', () => {
    const changes: readonly Partial<AdminActionRecorded>[] = [
      { entryId: id(9) },
      { adminId: grace },
      { credential: 'admin_key' },
      { action: 'get_user' },
      { targetType: 'guild' },
      { targetId: '0' },
      { metadata: { acls: '*', b: '2' } },
      { metadata: { acls: '*' } },
      { personalHash: 'p' },
      { reason: null },
      { actedAt: start.replace('2026', '2027') as typeof start },
    ]
    const texts = changes.map((change) => chainedText(entry(1, change), null))
    expect(new Set([...texts, chainedText(entry(1), null), chainedText(entry(1), 'h')]).size).toBe(changes.length + 2)
  })
  it('does not depend on the order of metadata, nor on personal ones that may be erased', () => {
    expect(chainedText(entry(1, { metadata: { b: '1', acls: '*' } }), null)).toBe(chainedText(entry(1), null))
    expect(chainedText(entry(1, { personalMetadata: { email: 'x' } }), null)).toBe(chainedText(entry(1), null))
    const text = (
      number: number,
      personalMetadata: Readonly<Record<string, string>> | null,
      personalReason?: string | null,
    ) =>
      personalText({
        entryId: id(number),
        personalMetadata,
        ...(personalReason === undefined ? {} : { personalReason }),
      })
    expect(text(1, { a: '1', b: '2' })).toBe(text(1, { b: '2', a: '1' }))
    expect(text(1, { a: '1' }, null)).toBe(text(1, { a: '1' }))
    expect([text(1, null), text(1, null, null)]).toStrictEqual([null, null])
    const different = [
      text(1, { a: '1' }),
      text(2, { a: '1' }),
      text(1, { a: '1' }, 'a'),
      text(1, {}, 'a'),
      text(1, null, 'a'),
    ]
    expect(new Set([...different, text(1, null, 'b'), text(2, null, 'b')]).size).toBe(different.length + 2)
  })
})

describe('an action', () => {
  it.each([
    ['list_user_guilds', 'read'],
    ['get_user', 'read'],
    ['search_users', 'read'],
    ['check_ip', 'read'],
    ['delete_all_user_messages_dry_run', 'read'],
    ['set_acls', 'write'],
    ['delete_all_user_messages', 'write'],
    ['listing', 'write'],
  ] as const)('%s is a %s', (action, access) => {
    expect(accessOf(action)).toBe(access)
  })
})
