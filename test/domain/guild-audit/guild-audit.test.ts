import { describe, expect, it } from 'vitest'
import { guildAuditEntriesOf } from '../../../domain/audit/guild-audit-entry.ts'
import type { GuildAuditEvent } from '../../../domain/guild-audit/events.ts'
import { guildAudit } from '../../../domain/guild-audit/guild-audit.ts'
import { guildAuditId, unfolded_max } from '../../../domain/guild-audit/state.ts'
import { messageId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { ada, general, home, start } from '../../../domain/testing/people.ts'
import { entry, guildAuditCommands } from '../../../domain/testing/commands/guild-audit-commands.ts'
import { laws } from '../../support/laws.ts'

laws('guildAudit', guildAuditCommands)

const where = { guildId: home, channelId: general }
const recording = (number: number) => ({
  entryId: entry(number),
  ...where,
  messageId: messageId(snowflake(`9${number}`)),
})
const recorded = (number: number): GuildAuditEvent => ({ type: 'MessageDeletionRecorded', data: recording(number) })
const folding = (...numbers: readonly number[]) => ({
  entryId: entry(99),
  ...where,
  deletedBy: ada,
  folded: numbers.map(entry),
  reason: null,
})

describe('a guild’s audit log', () => {
  it('records every deletion, by itself or of several', () => {
    given(guildAudit, [recorded(1)])
      .when({ type: 'RecordMessageDeletion', ...recording(2) })
      .then(recorded(2))
    const bulk = { entryId: entry(3), ...where, count: 12 }
    given(guildAudit, [])
      .when({ type: 'RecordBulkDeletion', ...bulk })
      .then({ type: 'BulkDeletionRecorded', data: bulk })
  })

  it('records a pin, and its end, and folds neither', () => {
    const pin = { ...recording(3), pinned: true }
    given(guildAudit, [recorded(1)])
      .when({ type: 'RecordPin', ...pin })
      .then({ type: 'MessagePinRecorded', data: pin })
    given(guildAudit, [recorded(1), { type: 'MessagePinRecorded', data: pin }])
      .when({ type: 'FoldMessageDeletions', ...folding(1, 3) })
      .changesNothing()
  })

  it('folds deletions that nobody has folded yet, where that is more than one', () => {
    const fold3 = { type: 'FoldMessageDeletions', ...folding(1, 2, 3) } as const
    const folded: GuildAuditEvent = { type: 'MessageDeletionsFolded', data: folding(1, 2) }
    given(guildAudit, [recorded(1), recorded(2)])
      .when(fold3)
      .then(folded)
    given(guildAudit, [recorded(1), recorded(2), folded, recorded(3)])
      .when(fold3)
      .changesNothing()
  })

  it('knows as many deletions one by one as it says, and no more', () => {
    const events = Array.from({ length: unfolded_max + 5 }, (_, number) => recorded(number))
    const { unfolded } = fold(guildAudit, events)
    expect(unfolded).toHaveLength(unfolded_max)
    expect(unfolded[0]).toBe(entry(5))
  })

  it('is one stream a month', () => {
    expect(guildAuditId(home, '2026-11-30T23:59:59.999Z')).toBe(`${home}-2026-11`)
    expect(guildAuditId(home, '2026-12-01T00:00:00.000Z')).toBe(`${home}-2026-12`)
  })

  property(
    'folds no deletion more often than it was recorded',
    histories(guildAudit, guildAuditCommands),
    ({ events }) => {
      const recorded = events.flatMap(({ type, data }) => (type === 'MessageDeletionRecorded' ? [data.entryId] : []))
      const folded = events.flatMap(({ type, data }) => (type === 'MessageDeletionsFolded' ? data.folded : []))
      for (const id of folded) {
        expect(folded.filter((each) => each === id).length).toBeLessThanOrEqual(
          recorded.filter((each) => each === id).length,
        )
      }
    },
  )
})

describe('its entries', () => {
  const raised = (event: GuildAuditEvent) => {
    const actor = { kind: 'account', id: ada } as const
    return guildAuditEntriesOf({ ...event, position: 7n, metadata: { at: start, actor, reason: 'noise' } })
  }

  it('have the id that the event says, the deleted message as their target, and its channel', () => {
    const { entryId, messageId: targetId } = recording(1)
    const told = {
      id: entryId,
      guildId: home,
      userId: ada,
      reason: 'noise',
      options: { channel_id: general },
      changes: [],
    }
    expect(raised(recorded(1))).toStrictEqual([{ ...told, actionType: 72, targetId }])
  })

  it('of several say how many, and of a fold who deleted and why, whoever read the log', () => {
    const fold: GuildAuditEvent = { type: 'MessageDeletionsFolded', data: { ...folding(1, 2, 3), deletedBy: null } }
    expect(raised(fold)).toStrictEqual([
      {
        id: entry(99),
        guildId: home,
        actionType: 73,
        userId: null,
        targetId: null,
        reason: null,
        options: { channel_id: general, count: 3 },
        changes: [],
      },
    ])
  })
})
