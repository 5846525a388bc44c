import { describe, expect, it } from 'vitest'
import { finishUnfinished } from '../../../application/processes/finish-unfinished.ts'
import { messageTypes } from '../../../domain/messages/message-types.ts'
import { messageId, type AccountId, type ChannelId, type GuildId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { world, type World } from '../support/world.ts'
import { noParts } from '../../../domain/messages/parts.ts'

const requestLife_ms = 60_000

/** What the timer does some time after the process died. */
async function finish(on: World) {
  on.restart()
  await on.ports.readModels.reached(0n)
  on.wait(requestLife_ms)
  const olderThan = on.now
  on.wait(1)
  return finishUnfinished(on.ports)(olderThan, on.now)
}

/** A guild with a message in its general channel. */
async function scene() {
  const on = world()
  const ada = await on.newcomer('Ada')
  const { id } = await on.guildOf(ada)
  const { state } = await on.ports.aggregates.guild.load(id)
  const channel = state.status === 'active' ? state.settings.systemChannelId : null
  if (!channel) throw new Error('There is no channel')
  await write(on, ada, id, channel)
  const by = { accountId: ada, roles: [], hasAuthenticator: false }
  const written = async () => (await on.ports.messages.lastOf([channel])).size
  expect(await written()).toBe(1)
  return { on, id, ada, by, channel, written, context: (await on.as(ada)).context }
}

async function write(on: World, authorId: AccountId, guildId: GuildId, channelId: ChannelId): Promise<void> {
  const id = messageId(snowflake('4194304000000'))
  await on.ports.messages.post({
    message: {
      id,
      channelId,
      guildId,
      authorId,
      type: messageTypes.default,
      flags: 0,
      content: 'secret',
      editedAt: null,
      tts: false,
      mentionsEveryone: false,
      mentionsHere: false,
      mentions: [],
      mentionRoles: [],
      reference: null,
      ...noParts,
    },
    audience: { channelId, channelType: 0, guildId, parentId: null, recipients: null },
  })
}

describe('the messages of a channel whose process died after its deletion', () => {
  it('are deleted permanently, and that is recorded once', async () => {
    const { on, id, by, channel, written, context } = await scene()
    await on.ports.aggregates.guild.execute(id, { type: 'DeleteChannel', by, channelId: channel }, context)
    expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
    expect(await written()).toBe(0)
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
    const [deletion, cleared, noted] = (await on.events()).slice(-3)
    expect([deletion?.type, cleared?.type]).toStrictEqual(['ChannelDeleted', 'GuildSettingsChanged'])
    expect(noted).toMatchObject({
      type: 'ChannelMessagesRemoved',
      data: { channelIds: [channel], ofGuild: false },
      metadata: { causationId: deletion?.metadata.eventId, actor: { kind: 'system', name: 'channel_messages' } },
    })
  })

  it('are deleted in the same way with a guild', async () => {
    const { on, id, ada, written, context } = await scene()
    await on.ports.aggregates.guild.execute(id, { type: 'DeleteGuild', by: ada }, context)
    expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
    expect(await written()).toBe(0)
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
  })
})
