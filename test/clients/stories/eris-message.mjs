import { cast, equal, hears, ok, pngUri, stage } from '../support/stage.mjs'

export const messageActions = [
  [
    'create message',
    async () => {
      cast.message = await cast.client.createMessage(cast.channel.id, 'Hello')
      equal(cast.message.content, 'Hello')
    },
  ],
  [
    'hear message',
    async () => {
      await stage.as(stage.bob, 'POST', `/v1/channels/${cast.channel.id}/messages`, { content: '!ping' })
      const [x] = await hears('messageCreate', (x) => x.content === '!ping')
      equal(x.member.id, stage.bob.id)
      equal(x.channel.guild.id, cast.guild.id)
    },
  ],
  [
    'reply with embed',
    async () => {
      const x = await cast.client.createMessage(cast.channel.id, {
        content: 'r',
        messageReference: { messageID: cast.message.id },
        embeds: [{ title: 't', description: 'd', fields: [{ name: 'a', value: 'b' }] }],
      })
      equal(x.referencedMessage.id, cast.message.id)
      equal(x.embeds[0].title, 't')
    },
  ],
  [
    'send file',
    async () => {
      const x = await cast.client.createMessage(
        cast.channel.id,
        { content: 'f' },
        { file: Buffer.from('hi'), name: 'a.txt' },
      )
      equal(x.attachments[0].filename, 'a.txt')
    },
  ],
  [
    'edit message',
    async () => {
      equal((await cast.message.edit('Hello you')).content, 'Hello you')
      await hears('messageUpdate', (x) => x.id === cast.message.id)
    },
  ],
  [
    'get message',
    async () => equal((await cast.client.getMessage(cast.channel.id, cast.message.id)).content, 'Hello you'),
  ],
  ['get messages', async () => ok((await cast.client.getMessages(cast.channel.id, { limit: 5 })).length > 2)],
  ['type', () => cast.client.sendChannelTyping(cast.channel.id)],
  [
    'hear typing',
    async () => {
      await stage.as(stage.bob, 'POST', `/v1/channels/${cast.channel.id}/typing`)
      await hears('typingStart')
    },
  ],
  [
    'pin',
    async () => {
      await cast.message.pin()
      await hears('channelPinUpdate')
    },
  ],
  [
    'get pins',
    async () => {
      ok((await cast.client.getPins(cast.channel.id)).some((x) => x.id === cast.message.id))
    },
  ],
  ['unpin', () => cast.message.unpin()],
  [
    'react',
    async () => {
      await cast.message.addReaction('👍')
      await hears('messageReactionAdd')
    },
  ],
  ['get reaction', async () => equal((await cast.message.getReaction('👍'))[0].id, cast.client.user.id)],
  [
    'remove reaction',
    async () => {
      await cast.message.removeReaction('👍')
      await hears('messageReactionRemove')
    },
  ],
  [
    'remove reactions',
    async () => {
      await cast.message.addReaction('👍')
      await cast.message.removeReactionEmoji('👍')
      await cast.message.removeReactions()
      await hears('messageReactionRemoveAll')
    },
  ],
  [
    'delete message',
    async () => {
      const x = await cast.client.createMessage(cast.channel.id, 'x')
      await x.delete('r')
      await hears('messageDelete', (y) => y.id === x.id)
    },
  ],
  [
    'delete messages',
    async () => {
      const l = [
        await cast.client.createMessage(cast.channel.id, '1'),
        await cast.client.createMessage(cast.channel.id, '2'),
      ]
      await cast.client.deleteMessages(
        cast.channel.id,
        l.map((x) => x.id),
      )
      await hears('messageDeleteBulk')
    },
  ],
  [
    'create thread',
    async () => {
      cast.thread = await cast.message.createThreadWithMessage({ name: 'th', autoArchiveDuration: 60 })
      equal(cast.thread.name, 'th')
    },
  ],
  [
    'thread message',
    async () => {
      equal((await cast.thread.createMessage('in')).channel.id, cast.thread.id)
    },
  ],
  [
    'thread members',
    async () => {
      ok((await cast.thread.getMembers()).length >= 1)
    },
  ],
  [
    'join leave thread',
    async () => {
      await cast.thread.leave()
      await cast.thread.join()
    },
  ],
  [
    'active threads',
    async () => {
      ok((await cast.guild.getActiveThreads()).threads.some((x) => x.id === cast.thread.id))
    },
  ],
  [
    'archived threads',
    async () => {
      await cast.thread.edit({ archived: true })
      ok((await cast.channel.getArchivedThreads('public')).threads.some((x) => x.id === cast.thread.id))
    },
  ],
  [
    'create webhook',
    async () => {
      cast.hook = await cast.client.createChannelWebhook(cast.text.id, { name: 'H' })
      ok(cast.hook.token)
    },
  ],
  [
    'get webhooks',
    async () => {
      equal((await cast.client.getChannelWebhooks(cast.text.id)).length, 1)
      equal((await cast.guild.getWebhooks()).length, 1)
    },
  ],
  [
    'execute webhook',
    async () => {
      const x = await cast.client.executeWebhook(cast.hook.id, cast.hook.token, {
        content: 'h',
        wait: true,
        username: 'O',
      })
      equal(x.content, 'h')
      await cast.client.editWebhookMessage(cast.hook.id, cast.hook.token, x.id, { content: 'e' })
      await cast.client.deleteWebhookMessage(cast.hook.id, cast.hook.token, x.id)
    },
  ],
  ['delete webhook', () => cast.client.deleteWebhook(cast.hook.id)],
  [
    'create emoji',
    async () => {
      cast.emoji = await cast.guild.createEmoji({ name: 'dot', image: pngUri })
      equal(cast.emoji.name, 'dot')
      await hears('guildEmojisUpdate')
    },
  ],
  [
    'get emojis',
    async () => {
      equal((await cast.guild.getRESTEmojis()).length, 1)
      equal((await cast.guild.getRESTEmoji(cast.emoji.id)).name, 'dot')
    },
  ],
  [
    'edit, delete emoji',
    async () => {
      await cast.guild.editEmoji(cast.emoji.id, { name: 'point' })
      await cast.guild.deleteEmoji(cast.emoji.id)
    },
  ],
  [
    'create sticker',
    async () => {
      cast.sticker = await cast.guild.createSticker({
        file: { file: Buffer.from(pngUri.split(',')[1], 'base64'), name: 's.png' },
        name: 'stick',
        description: '',
        tags: 'dot',
      })
      equal(cast.sticker.name, 'stick')
    },
  ],
  [
    'get stickers',
    async () => {
      const body = { name: 'stick', image: pngUri, tags: ['dot'] }
      const { id } = await stage.as(stage.ada, 'POST', `/v1/guilds/${cast.guild.id}/stickers`, body)
      equal((await cast.guild.getRESTStickers()).length, 1)
      equal((await cast.guild.getRESTSticker(id)).name, 'stick')
    },
  ],
  [
    'audit log',
    async () => {
      const l = await cast.guild.getAuditLog({ limit: 5 })
      ok(l.entries.length >= 3)
    },
  ],
  [
    'dm',
    async () => {
      cast.dm = await cast.client.getDMChannel(stage.bob.id)
      const x = await cast.dm.createMessage('psst')
      equal(x.channel.id, cast.dm.id)
    },
  ],
  [
    'hear dm',
    async () => {
      await stage.as(stage.bob, 'POST', `/v1/channels/${cast.dm.id}/messages`, { content: 'yes?' })
      await hears('messageCreate', (x) => x.content === 'yes?')
    },
  ],
  [
    'hear presence',
    async () => {
      stage.sets('dnd')
      await hears('presenceUpdate', (x) => x.status === 'dnd')
    },
  ],
  [
    'error says what',
    async () => {
      const e = await cast.client.createMessage(cast.channel.id, 'x'.repeat(5000)).catch((e) => e)
      ok(/content/.test(e.message))
    },
  ],
  [
    'delete channel',
    async () => {
      await cast.text.delete()
      await hears('channelDelete')
    },
  ],
  [
    'resume',
    async () => {
      const p = hears('shardResume')
      cast.client.shards.get(0).disconnect({ reconnect: 'auto' })
      await p
    },
  ],
  [
    'leave guild',
    async () => {
      await cast.guild.leave()
      await hears('guildDelete')
    },
  ],
  ['disconnect', () => cast.client.disconnect({ reconnect: false })],
]
