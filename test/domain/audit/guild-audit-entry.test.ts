import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventCatalogs } from '../../../domain/aggregates.ts'
import type { EventMetadata, RecordedEvent } from '../../../application/ports/event-store.ts'
import { auditActions } from '../../../domain/audit/audit-actions.ts'
import { auditedTypes, guildAuditEntriesOf, type AuditedEvent } from '../../../domain/audit/guild-audit-entry.ts'
import { snowflakeMs } from '../../../domain/ids/snowflake.ts'
import type { InviteDeleted, InviteTerms } from '../../../domain/invite/events.ts'
import { msOf, timestamp } from '../../../domain/kernel/timestamp.ts'
import { property } from '../../support/property.ts'
import {
  ada,
  code,
  everyone,
  founding,
  general,
  grace,
  home,
  installation,
  plainRole,
  start,
} from '../../../domain/testing/people.ts'

const terms: InviteTerms = {
  code,
  guildId: home,
  channelId: general,
  inviterId: ada,
  maxUses: 10,
  maxAge: 3600,
  temporary: true,
  createdAt: start,
}
const removed: InviteDeleted = { ...terms, uses: 3, deletedBy: grace }

const joined = { guildId: home, accountId: ada, joinedAt: start, temporary: false, admission: installation }

const metadata: EventMetadata = {
  eventId: '019693c5-0000-7000-8000-000000000000',
  at: start,
  actor: { kind: 'account', id: grace },
  correlationId: 'request',
  causationId: 'command',
}

/** An event as the store returns it. That this compiles keeps the domain's own type compatible. */
const recorded = (type: string, data: object, changes: Partial<RecordedEvent> = {}): RecordedEvent => ({
  stream: `invite-${code}`,
  revision: 0,
  position: 7n,
  type,
  data,
  metadata,
  ...changes,
})
const entryOf = (event: RecordedEvent) => guildAuditEntriesOf(event satisfies AuditedEvent)[0]

const values = {
  code,
  channel_id: general,
  guild_id: home,
  inviter_id: ada,
  max_uses: 10,
  max_age: 3600,
  temporary: true,
  created_at: start,
}
const options = { channel_id: general, inviter_id: ada, max_age: 3600, max_uses: 10, temporary: true }

describe('the audit entry of an event', () => {
  it('has its changes in the order of their keys, in whatever order the store gives the members of the event', () => {
    const turned = Object.fromEntries(Object.entries(removed).toReversed())
    const entry = entryOf(recorded('InviteDeleted', removed))
    expect(entryOf(recorded('InviteDeleted', turned))).toStrictEqual(entry)
    const keys = entry?.changes.map(({ key }) => key) ?? []
    expect(keys.length).toBeGreaterThan(3)
    expect(keys).toStrictEqual(keys.toSorted())
  })

  it('tells of a new invite: its code, its terms, and new values alone', () => {
    const entry = entryOf(recorded('InviteCreated', terms))
    expect(entry).toMatchObject({ guildId: home, actionType: 40, userId: grace, targetId: code, reason: null, options })
    const created = Object.fromEntries(entry?.changes.map(({ key, ...change }) => [key, change]) ?? [])
    expect(created).toStrictEqual(wrapped('new_value', { ...values, uses: 0 }))
  })

  it('tells of a removed invite: the record as it was, in old values alone', () => {
    const entry = entryOf(recorded('InviteDeleted', removed))
    expect(entry).toMatchObject({ guildId: home, actionType: 42, userId: grace, targetId: code, reason: null, options })
    const deleted = Object.fromEntries(entry?.changes.map(({ key, ...change }) => [key, change]) ?? [])
    expect(deleted).toStrictEqual(wrapped('old_value', { ...values, uses: 3 }))
  })

  it('gives the reason that was supplied', () => {
    const entry = entryOf(recorded('InviteDeleted', removed, { metadata: { ...metadata, reason: 'spam' } }))
    expect(entry?.reason).toBe('spam')
  })

  it('names the account that acted: an Admin key acts as its creator, the system as nobody', () => {
    const key = { kind: 'admin_key', id: 'key', accountId: ada } as const
    const system = { kind: 'system', name: 'admission' } as const
    expect(entryOf(recorded('InviteDeleted', removed, { metadata: { ...metadata, actor: key } }))?.userId).toBe(ada)
    expect(entryOf(recorded('InviteDeleted', removed, { metadata: { ...metadata, actor: system } }))?.userId).toBeNull()
  })

  it('tells of a bot that was added, and of no other member', () => {
    const added = {
      guildId: home,
      actionType: 28,
      userId: grace,
      targetId: ada,
      options: { temporary: false },
      changes: [],
    }
    expect(entryOf(recorded('MemberJoined', joined))).toMatchObject(added)
    expect(entryOf(recorded('MemberJoined', { ...joined, admission: founding }))).toBeUndefined()
  })

  it("tells of a new role, and not of everyone's", () => {
    const entry = entryOf(recorded('RoleCreated', { guildId: home, role: plainRole }))
    expect(entry).toMatchObject({ guildId: home, actionType: 30, userId: grace, targetId: plainRole.id, options: {} })
    const created = Object.fromEntries(entry?.changes.map(({ key, ...change }) => [key, change]) ?? [])
    const { id: role_id, unicodeEmoji: unicode_emoji, hoistPosition: hoist_position, ...others } = plainRole
    expect(created).toStrictEqual(wrapped('new_value', { role_id, ...others, hoist_position, unicode_emoji }))
    const ofEveryone = { guildId: home, role: { ...plainRole, id: everyone } }
    expect(entryOf(recorded('RoleCreated', ofEveryone))).toBeUndefined()
  })

  it('is raised by no other event', () => {
    const catalogs = Object.values(eventCatalogs)
    const types = catalogs.flatMap(({ events }) => Object.keys(events))
    expect(new Set(types).size).toBe(types.length)
    expect(types).toStrictEqual(expect.arrayContaining([...auditedTypes]))
    for (const type of types.filter((each) => !auditedTypes.includes(each))) {
      expect(entryOf(recorded(type, { ...removed, ...joined, role: plainRole }))).toBeUndefined()
    }
    expect(entryOf(recorded('toString', removed))).toBeUndefined()
  })

  const instants = fc.integer({ min: Date.UTC(2015), max: Date.UTC(2080) }).map(timestamp)
  const places = fc.tuple(instants, fc.bigInt({ min: 0n, max: 1n << 63n }))
  property('has an id that follows from the time and the position alone', places, ([at, position]) => {
    const event = recorded('InviteCreated', terms, { position, metadata: { ...metadata, at } })
    const id = entryOf(event)?.id
    expect(entryOf(structuredClone(event))?.id).toBe(id)
    expect(id && snowflakeMs(id)).toBe(msOf(at))
    expect(id && BigInt(id) & 0x3f_ffffn).toBe(position & 0x3f_ffffn)
  })
})

describe('the action types', () => {
  it('are those of the registry, each number once', () => {
    const channelsAndMembers = [1, 10, 11, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 27, 28]
    const rolesToMessages = [30, 31, 32, 40, 41, 42, 50, 51, 52, 60, 61, 62, 72, 73, 74, 75]
    const stickersAndThreads = [90, 91, 92, 110, 111, 112]
    const registry = [...channelsAndMembers, ...rolesToMessages, ...stickersAndThreads]
    expect(Object.values(auditActions)).toStrictEqual(registry)
  })
})

function wrapped(key: 'new_value' | 'old_value', record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, { [key]: value }]))
}
