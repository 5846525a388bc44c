import fc from 'fast-check'
import { webhookId } from '../../ids/ids.ts'
import { snowflake } from '../../ids/snowflake.ts'
import type { WebhookCommand } from '../../webhook/commands.ts'
import type { WebhookCreated, WebhookFields } from '../../webhook/events.ts'
import { oneOf, record } from '../drawing.ts'
import { ada, away, channels, grace, home, layout } from '../people.ts'

const names = oneOf('Build', 'Herald')
const avatars = oneOf(null, 'hash')
const byToken = oneOf(true, false)

const webhooks: fc.Arbitrary<WebhookCreated> = record({
  webhookId: oneOf(webhookId(snowflake('700001'))),
  guildId: oneOf(home),
  channelId: oneOf(...channels),
  name: names,
  avatar: avatars,
  creatorId: oneOf(ada, grace),
  kind: oneOf(1, 1, 2),
  source: oneOf(null, { guildId: away, channelId: layout.text }),
  token: oneOf('sealed', null),
})

export const webhookCommands: fc.Arbitrary<WebhookCommand> = fc.oneof(
  record({ type: oneOf('CreateWebhook'), webhook: webhooks }),
  record({
    type: oneOf('ChangeWebhook'),
    changes: fc.oneof<fc.MaybeWeightedArbitrary<Partial<WebhookFields>>[]>(
      record({ name: names }),
      record({ avatar: avatars }),
      record({ channelId: oneOf(...channels), name: names }),
      record({}),
    ),
    byToken,
  }),
  record({ type: oneOf('DeleteWebhook'), byToken }),
  record({ type: oneOf('RestoreWebhook'), webhook: webhooks }),
)
