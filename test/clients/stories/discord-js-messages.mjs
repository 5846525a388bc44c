import { AttachmentBuilder, EmbedBuilder, Events, MessageFlags } from 'discord.js'
import { cast, equal, hears, ok, png, stage } from '../support/stage.mjs'

export const messageActions = [
  [
    'send a message',
    async () => {
      cast.message = await cast.channel.send('Hello')
      equal(cast.message.content, 'Hello')
    },
  ],
  [
    'hear a message',
    async () => {
      await stage.as(stage.bob, 'POST', `/v1/channels/${cast.channel.id}/messages`, { content: '!ping' })
      const [m] = await hears(Events.MessageCreate, (m) => m.content === '!ping')
      equal(m.author.id, stage.bob.id)
      equal(m.member.id, stage.bob.id)
      equal(m.guild.id, cast.guild.id)
    },
  ],
  [
    'reply',
    async () => {
      cast.reply = await cast.message.reply('pong')
      equal(cast.reply.reference.messageId, cast.message.id)
      equal((await cast.reply.fetchReference()).id, cast.message.id)
    },
  ],
  [
    'send an embed',
    async () => {
      cast.embedMsg = await cast.channel.send({
        embeds: [
          new EmbedBuilder()
            .setTitle('T')
            .setDescription('d')
            .setColor(0x123456)
            .addFields({ name: 'a', value: 'b', inline: true })
            .setFooter({ text: 'f' })
            .setTimestamp(),
        ],
      })
      equal(cast.embedMsg.embeds[0].title, 'T')
      equal(cast.embedMsg.embeds[0].fields[0].name, 'a')
    },
  ],
  [
    'send a file',
    async () => {
      cast.fileMsg = await cast.channel.send({
        content: 'file',
        files: [new AttachmentBuilder(Buffer.from('hello'), { name: 'a.txt', description: 'greeting' })],
      })
      equal(cast.fileMsg.attachments.first().name, 'a.txt')
      equal(await (await fetch(cast.fileMsg.attachments.first().url)).text(), 'hello')
    },
  ],
  [
    'send an image in an embed',
    async () => {
      const m = await cast.channel.send({
        embeds: [new EmbedBuilder().setTitle('i').setImage('attachment://p.png')],
        files: [new AttachmentBuilder(png, { name: 'p.png' })],
      })
      ok(m.embeds[0].image.url)
    },
  ],
  [
    'mention with care',
    async () => {
      const m = await cast.channel.send({
        content: `<@${stage.bob.id}> <@&${cast.role.id}>`,
        allowedMentions: { users: [stage.bob.id] },
      })
      ok(m.mentions.users.has(stage.bob.id))
    },
  ],
  [
    'send silently with a nonce',
    async () => {
      const m = await cast.channel.send({
        content: 'hush',
        nonce: '123',
        enforceNonce: true,
        flags: MessageFlags.SuppressNotifications,
      })
      equal(m.nonce, '123')
    },
  ],
  [
    'edit a message',
    async () => {
      const m = await cast.message.edit('Hello you')
      equal(m.content, 'Hello you')
      ok(m.editedAt)
    },
  ],
  [
    'hear of an edited message',
    () => hears(Events.MessageUpdate, (o, n) => n.id === cast.message.id && n.content === 'Hello you'),
  ],
  [
    'suppress embeds',
    async () => {
      await cast.embedMsg.suppressEmbeds(true)
    },
  ],
  [
    'remove files by editing',
    async () => {
      const m = await cast.fileMsg.edit({ content: 'none', attachments: [] })
      equal(m.attachments.size, 0)
    },
  ],
  [
    'fetch a message',
    async () => {
      const m = await cast.channel.messages.fetch({ message: cast.message.id, force: true })
      equal(m.content, 'Hello you')
    },
  ],
  [
    'fetch messages',
    async () => {
      const m = await cast.channel.messages.fetch({ limit: 5, before: cast.embedMsg.id })
      ok(m.has(cast.message.id))
    },
  ],
  [
    'await a message',
    async () => {
      const p = cast.channel.awaitMessages({ filter: (m) => m.content === 'answer', max: 1, time: 3000 })
      await stage.as(stage.bob, 'POST', `/v1/channels/${cast.channel.id}/messages`, { content: 'answer' })
      equal((await p).size, 1)
    },
  ],
  [
    'forward a message',
    async () => {
      const m = await cast.message.forward(cast.text)
      ok(m.messageSnapshots.first())
    },
  ],
  [
    'crosspost a message',
    async () => {
      const m = await cast.news.send('extra')
      await m.crosspost()
    },
  ],
  [
    'follow an announcement channel',
    async () => {
      await cast.news.addFollower(cast.text.id)
    },
  ],
  [
    'type',
    async () => {
      await cast.channel.sendTyping()
    },
  ],
  [
    'hear typing',
    async () => {
      await stage.as(stage.bob, 'POST', `/v1/channels/${cast.channel.id}/typing`)
      await hears(Events.TypingStart, (t) => t.user.id === stage.bob.id)
    },
  ],
  [
    'pin',
    async () => {
      await cast.message.pin()
    },
  ],
  ['hear of pins', () => hears(Events.ChannelPinsUpdate)],
  [
    'fetch pins',
    async () => {
      const p = await cast.channel.messages.fetchPins()
      ok(p.items.some((i) => i.message.id === cast.message.id))
    },
  ],
  [
    'unpin',
    async () => {
      await cast.message.unpin()
    },
  ],
]
