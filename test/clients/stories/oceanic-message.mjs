import { cast, equal, hears, ok, png, pngUri, stage } from '../support/stage.mjs'

export const messageActions = [
  [
    'create message',
    async () => {
      cast.message = await cast.channel.createMessage({ content: 'Hello' })
      equal(cast.message.content, 'Hello')
    },
  ],
  [
    'hear message',
    async () => {
      await stage.as(stage.bob, 'POST', `/v1/channels/${cast.channel.id}/messages`, { content: '!ping' })
      const [y] = await hears('messageCreate', (y) => y.content === '!ping')
      equal(y.member.id, stage.bob.id)
      equal(y.guild.id, cast.guild.id)
    },
  ],
  [
    'reply with embed',
    async () => {
      const y = await cast.channel.createMessage({
        content: 'r',
        messageReference: { messageID: cast.message.id },
        embeds: [{ title: 't', fields: [{ name: 'a', value: 'b' }] }],
      })
      equal(y.referencedMessage.id, cast.message.id)
      equal(y.embeds[0].title, 't')
    },
  ],
  [
    'send file',
    async () => {
      const y = await cast.channel.createMessage({
        content: 'f',
        files: [{ name: 'a.txt', contents: Buffer.from('hi') }],
      })
      equal(y.attachments.first().filename, 'a.txt')
    },
  ],
  [
    'edit message',
    async () => {
      equal((await cast.message.edit({ content: 'Hello you' })).content, 'Hello you')
      await hears('messageUpdate')
    },
  ],
  [
    'get messages',
    async () => {
      equal((await cast.channel.getMessage(cast.message.id)).content, 'Hello you')
      ok((await cast.channel.getMessages({ limit: 5 })).length > 2)
    },
  ],
  [
    'type',
    async () => {
      await cast.channel.sendTyping()
      await stage.as(stage.bob, 'POST', `/v1/channels/${cast.channel.id}/typing`)
      await hears('typingStart')
    },
  ],
  [
    'pin',
    async () => {
      await cast.message.pin()
      await hears('channelPinsUpdate')
    },
  ],
  [
    'get pins',
    async () => {
      const pins = await cast.channel.getPins()
      equal(pins[0].message.id, cast.message.id)
    },
  ],
  ['unpin', () => cast.message.unpin()],
  [
    'react',
    async () => {
      await cast.message.createReaction('👍')
      await hears('messageReactionAdd')
      equal((await cast.message.getReactions('👍'))[0].id, cast.client.user.id)
    },
  ],
  [
    'remove reactions',
    async () => {
      await cast.message.deleteReaction('👍')
      await cast.message.createReaction('👍')
      await cast.client.rest.channels.deleteReactions(cast.channel.id, cast.message.id, '👍')
      await cast.client.rest.channels.deleteReactions(cast.channel.id, cast.message.id)
      await hears('messageReactionRemoveAll')
      await hears('messageReactionRemoveEmoji')
    },
  ],
  [
    'delete message',
    async () => {
      const y = await cast.channel.createMessage({ content: 'x' })
      await y.delete('r')
      await hears('messageDelete')
    },
  ],
  [
    'delete messages',
    async () => {
      const l = [await cast.channel.createMessage({ content: '1' }), await cast.channel.createMessage({ content: '2' })]
      await cast.channel.deleteMessages(l.map((y) => y.id))
      await hears('messageDeleteBulk')
    },
  ],
  [
    'thread from message',
    async () => {
      cast.thread = await cast.message.startThread({ name: 'th', autoArchiveDuration: 60 })
      equal(cast.thread.name, 'th')
      await hears('threadCreate')
    },
  ],
  ['thread message', async () => equal((await cast.thread.createMessage({ content: 'in' })).channelID, cast.thread.id)],
  ['thread members', async () => ok((await cast.thread.getMembers()).length >= 1)],
  [
    'join leave',
    async () => {
      await cast.thread.leave()
      await cast.thread.join()
    },
  ],
  [
    'active threads',
    async () => ok((await cast.guild.getActiveThreads()).threads.some((y) => y.id === cast.thread.id)),
  ],
  [
    'archive thread',
    async () => {
      await cast.thread.edit({ archived: true })
      ok((await cast.channel.getPublicArchivedThreads()).threads.some((y) => y.id === cast.thread.id))
      await hears('threadUpdate')
    },
  ],
  [
    'delete thread',
    async () => {
      await cast.thread.delete()
      await hears('threadDelete')
    },
  ],
  [
    'webhook',
    async () => {
      cast.hook = await cast.text.createWebhook({ name: 'H' })
      ok(cast.hook.token)
      await hears('webhooksUpdate')
      equal((await cast.text.getWebhooks()).length, 1)
      equal((await cast.guild.getWebhooks()).length, 1)
    },
  ],
  [
    'execute webhook',
    async () => {
      const y = await cast.hook.execute({ content: 'h', wait: true, username: 'O' })
      equal(y.content, 'h')
      await cast.hook.editMessage(y.id, { content: 'e' })
      await cast.hook.deleteMessage(y.id)
    },
  ],
  ['edit webhook', async () => equal((await cast.hook.edit({ name: 'HH' })).name, 'HH')],
  ['delete webhook', () => cast.hook.delete()],
  [
    'emoji',
    async () => {
      cast.emoji = await cast.guild.createEmoji({ name: 'dot', image: png })
      equal(cast.emoji.name, 'dot')
      await hears('guildEmojisUpdate')
    },
  ],
  [
    'get emojis',
    async () => {
      equal((await cast.guild.getEmojis()).length, 1)
      equal((await cast.guild.getEmoji(cast.emoji.id)).name, 'dot')
    },
  ],
  [
    'edit emoji',
    async () => {
      await cast.guild.editEmoji(cast.emoji.id, { name: 'point' })
      await cast.guild.deleteEmoji(cast.emoji.id)
    },
  ],
  [
    'sticker',
    async () => {
      cast.sticker = await cast.guild.createSticker({
        file: { contents: png, name: 's.png' },
        name: 'stick',
        description: 'd',
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
      equal((await cast.guild.getStickers())[0].id, id)
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
    'hear audit',
    async () => {
      await hears('guildAuditLogEntryCreate')
    },
  ],
  [
    'dm',
    async () => {
      cast.dm = await cast.client.rest.users.createDM(stage.bob.id)
      equal((await cast.dm.createMessage({ content: 'psst' })).channelID, cast.dm.id)
    },
  ],
  [
    'hear dm',
    async () => {
      await stage.as(stage.bob, 'POST', `/v1/channels/${cast.dm.id}/messages`, { content: 'yes?' })
      await hears('messageCreate', (y) => y.content === 'yes?')
    },
  ],
  [
    'hear presence',
    async () => {
      stage.sets('dnd')
      await hears('presenceUpdate', (gg, mm, p) => p.status === 'dnd')
    },
  ],
  [
    'error says what',
    async () => {
      const e = await cast.channel.createMessage({ content: 'x'.repeat(5000) }).catch((e) => e)
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
      cast.client.shards.get(0).disconnect(true)
      await p
    },
  ],
  [
    'leave guild',
    async () => {
      await cast.client.rest.users.leaveGuild(cast.guild.id)
      await hears('guildDelete')
    },
  ],
  ['disconnect', () => cast.client.disconnect(false)],
]
