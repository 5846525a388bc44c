import { describe, expect, it } from 'vitest'
import { auditActions } from '../../../domain/audit/audit-actions.ts'
import { guildAuditEntriesOf } from '../../../domain/audit/guild-audit-entry.ts'
import { webhookId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { webhookCommands } from '../../../domain/testing/commands/webhook-commands.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { ada, away, general, grace, home, layout, start } from '../../../domain/testing/people.ts'
import type { WebhookChanged, WebhookCreated, WebhookEvent } from '../../../domain/webhook/events.ts'
import { webhook, webhookStatusAfter } from '../../../domain/webhook/webhook.ts'
import { laws } from '../../support/laws.ts'
import { property } from '../../support/property.ts'

laws('webhook', webhookCommands)

const id = webhookId(snowflake('700001'))
const build: WebhookCreated = {
  webhookId: id,
  guildId: home,
  channelId: general,
  name: 'Build',
  avatar: null,
  creatorId: ada,
  kind: 1,
  source: null,
  token: 'sealed',
}
const { token: _, ...record } = build
const created: WebhookEvent = { type: 'WebhookCreated', data: build }
const changed = (before: WebhookChanged['before'], after: WebhookChanged['after'], byToken = false): WebhookEvent => ({
  type: 'WebhookChanged',
  data: { webhookId: id, guildId: home, channelId: general, kind: 1, before, after, byToken },
})
const deleted = (byToken = false): WebhookEvent => ({ type: 'WebhookDeleted', data: { ...record, byToken } })
const change = (changes: WebhookChanged['after'], byToken = false) =>
  ({ type: 'ChangeWebhook', changes, byToken }) as const
const remove = { type: 'DeleteWebhook', byToken: false } as const

describe('a webhook', () => {
  it('is created once under its id', () => {
    const create = { type: 'CreateWebhook', webhook: build } as const
    given(webhook, []).when(create).then(created)
    given(webhook, [created]).when(create).changesNothing()
    given(webhook, [created])
      .when({ ...create, webhook: { ...build, creatorId: grace } })
      .refuses('CONFLICT')
    given(webhook, [created, deleted()]).when(create).refuses('CONFLICT')
  })

  it('records what differs, and nothing where nothing does', () => {
    given(webhook, [created])
      .when(change({ name: 'Herald', avatar: null }))
      .then(changed({ name: 'Build' }, { name: 'Herald' }))
    given(webhook, [created])
      .when(change({ channelId: layout.voice, avatar: 'hash' }, true))
      .then(changed({ channelId: general, avatar: null }, { channelId: layout.voice, avatar: 'hash' }, true))
    given(webhook, [created])
      .when(change({ name: 'Build' }))
      .changesNothing()
  })

  it('is unknown once it is deleted, and before it is created', () => {
    given(webhook, [created]).when(remove).then(deleted())
    for (const history of [[], [created, deleted()]])
      for (const command of [remove, change({ name: 'Herald' })])
        given(webhook, history).when(command).refuses('UNKNOWN_WEBHOOK')
  })

  it('comes back only once it is deleted, to its own guild', () => {
    const restore = { type: 'RestoreWebhook', webhook: build } as const
    given(webhook, [created, deleted()]).when(restore).then(created)
    given(webhook, [created]).when(restore).changesNothing()
    given(webhook, []).when(restore).refuses('CONFLICT')
    given(webhook, [created, deleted()])
      .when({ ...restore, webhook: { ...build, guildId: away } })
      .refuses('CONFLICT')
  })

  property('never holds its token in what tells of its end', histories(webhook, webhookCommands), ({ events }) => {
    for (const { type, data } of events) expect('token' in data).toBe(type === 'WebhookCreated')
  })

  property('has the status that its newest event of those says', histories(webhook, webhookCommands), ({ events }) => {
    const statuses: Readonly<Record<string, string | undefined>> = webhookStatusAfter
    const last = events.findLast(({ type }) => statuses[type] !== undefined)
    expect(fold(webhook, events).status).toBe(last === undefined ? 'absent' : statuses[last.type])
  })

  property('says of each change how it was before', histories(webhook, webhookCommands), ({ events }) => {
    for (const [index, event] of events.entries()) {
      const before = fold(webhook, events.slice(0, index))
      if (event.type === 'WebhookChanged') expect(before).toMatchObject(event.data.before)
    }
  })
})

describe('the audit entries of a webhook', () => {
  const entriesOf = ({ type, data }: WebhookEvent) =>
    guildAuditEntriesOf({ type, data, position: 7n, metadata: { at: start, actor: { kind: 'account', id: ada } } })
  const values = {
    avatar_hash: null,
    channel_id: general,
    creator_id: ada,
    guild_id: home,
    id,
    name: 'Build',
    type: 1,
  }

  it('show its record without its token', () => {
    const { WEBHOOK_CREATE, WEBHOOK_UPDATE, WEBHOOK_DELETE } = auditActions
    const about = { targetId: id, guildId: home, options: { channel_id: general, type: 1 } }
    expect(entriesOf(created)).toMatchObject([
      {
        ...about,
        actionType: WEBHOOK_CREATE,
        changes: Object.entries(values).map(([key, value]) => ({ key, new_value: value })),
      },
    ])
    expect(entriesOf(changed({ name: 'Build' }, { name: 'Herald' }))).toMatchObject([
      {
        ...about,
        actionType: WEBHOOK_UPDATE,
        changes: [{ key: 'name', old_value: 'Build', new_value: 'Herald' }],
      },
    ])
    expect(entriesOf(deleted())).toMatchObject([
      {
        ...about,
        actionType: WEBHOOK_DELETE,
        changes: Object.entries(values).map(([key, value]) => ({ key, old_value: value })),
      },
    ])
  })

  it('are not there where its token was enough', () => {
    expect(entriesOf(changed({ name: 'Build' }, { name: 'Herald' }, true))).toStrictEqual([])
    expect(entriesOf(deleted(true))).toStrictEqual([])
  })
})
