import { AuditLogEvent, DiscordAPIError, Events, WebhookClient } from 'discord.js'
import { cast, equal, hears, ok, png, pngUri, stage } from '../support/stage.mjs'

export const otherActions = [
  [
    'create a webhook',
    async () => {
      cast.webhook = await cast.text.createWebhook({ name: 'Hook', avatar: png })
      ok(cast.webhook.token)
    },
  ],
  ['hear of webhooks', () => hears(Events.WebhooksUpdate)],
  [
    'fetch webhooks',
    async () => {
      const w = await cast.text.fetchWebhooks()
      ok(w.has(cast.webhook.id))
      ok((await cast.guild.fetchWebhooks()).has(cast.webhook.id))
    },
  ],
  [
    'execute a webhook',
    async () => {
      cast.hookMsg = await cast.webhook.send({ content: 'from hook', username: 'Other', embeds: [{ title: 'e' }] })
      equal(cast.hookMsg.content, 'from hook')
    },
  ],
  [
    'edit a webhook message',
    async () => {
      const m = await cast.webhook.editMessage(cast.hookMsg.id, 'edited')
      equal(m.content, 'edited')
      await cast.webhook.deleteMessage(cast.hookMsg.id)
    },
  ],
  [
    'edit a webhook',
    async () => {
      const w = await cast.webhook.edit({ name: 'Renamed' })
      equal(w.name, 'Renamed')
    },
  ],
  [
    'execute by WebhookClient',
    async () => {
      const w = new WebhookClient(
        { id: cast.webhook.id, token: cast.webhook.token },
        { rest: { api: stage.url, version: '1' } },
      )
      const m = await w.send({ content: 'alone', files: [{ attachment: Buffer.from('x'), name: 'x.txt' }] })
      ok(m.id)
    },
  ],
  [
    'delete a webhook',
    async () => {
      await cast.webhook.delete()
    },
  ],
  [
    'create an emoji',
    async () => {
      cast.emoji = await cast.guild.emojis.create({ attachment: png, name: 'dot' })
      equal(cast.emoji.name, 'dot')
    },
  ],
  ['hear of a new emoji', () => hears(Events.GuildEmojiCreate, (e) => e.id === cast.emoji.id)],
  [
    'fetch emojis',
    async () => {
      const e = await cast.guild.emojis.fetch()
      ok(e.has(cast.emoji.id))
    },
  ],
  [
    'fetch an emoji',
    async () => {
      const e = await cast.guild.emojis.fetch(cast.emoji.id, { force: true })
      equal(e.name, 'dot')
    },
  ],
  [
    'react with an emoji of the guild',
    async () => {
      await cast.message.react(cast.emoji)
    },
  ],
  [
    'rename an emoji',
    async () => {
      const e = await cast.emoji.edit({ name: 'point' })
      equal(e.name, 'point')
    },
  ],
  [
    'delete an emoji',
    async () => {
      await cast.emoji.delete()
      await hears(Events.GuildEmojiDelete)
    },
  ],
  [
    'create a sticker',
    async () => {
      cast.sticker = await cast.guild.stickers.create({ file: png, name: 'stick', tags: 'dot' })
      equal(cast.sticker.name, 'stick')
    },
  ],
  [
    'hear of a new sticker',
    async () => {
      const body = { name: 'stick', image: pngUri, tags: ['dot'] }
      await stage.as(stage.ada, 'POST', `/v1/guilds/${cast.guild.id}/stickers`, body)
      ;[cast.sticker] = await hears(Events.GuildStickerCreate)
    },
  ],
  [
    'fetch stickers',
    async () => {
      const e = await cast.guild.stickers.fetch()
      ok(e.has(cast.sticker.id))
    },
  ],
  [
    'send a sticker',
    async () => {
      const m = await cast.channel.send({ stickers: [cast.sticker.id] })
      ok(m.stickers.has(cast.sticker.id))
    },
  ],
  [
    'edit a sticker',
    async () => {
      const e = await cast.sticker.edit({ name: 'stuck' })
      equal(e.name, 'stuck')
    },
  ],
  [
    'delete a sticker',
    async () => {
      await cast.sticker.delete()
    },
  ],
  [
    'fetch the audit log',
    async () => {
      const l = await cast.guild.fetchAuditLogs({ limit: 10 })
      ok(l.entries.size > 5)
      ok(l.entries.first().executor)
    },
  ],
  [
    'fetch the audit log of one act',
    async () => {
      const l = await cast.guild.fetchAuditLogs({ type: AuditLogEvent.MemberBanAdd, limit: 1 })
      equal(l.entries.first().reason, 'spam')
      equal(l.entries.first().targetId, stage.cyd.id)
    },
  ],
  ['hear of an audit log entry', () => hears(Events.GuildAuditLogEntryCreate, (e) => e.reason === 'spam')],
  [
    'open a direct message',
    async () => {
      cast.dm = await cast.member.createDM()
      ok(cast.dm.id)
    },
  ],
  [
    'send a direct message',
    async () => {
      const m = await cast.member.send('psst')
      equal(m.channel.type, 1)
    },
  ],
  [
    'hear a direct message',
    async () => {
      await stage.as(stage.bob, 'POST', `/v1/channels/${cast.dm.id}/messages`, { content: 'yes?' })
      await hears(Events.MessageCreate, (m) => m.content === 'yes?' && !m.guild)
    },
  ],
  [
    'hear a presence',
    async () => {
      stage.sets('dnd')
      await hears(Events.PresenceUpdate, (o, n) => n.userId === stage.bob.id && n.status === 'dnd')
    },
  ],
  [
    'be told what is wrong',
    async () => {
      const e = await cast.channel.send({ content: 'x'.repeat(5000) }).catch((e) => e)
      ok(e instanceof DiscordAPIError)
      ok(/content/.test(e.message))
    },
  ],
  [
    'be told of what is unknown',
    async () => {
      const e = await cast.channel.messages.fetch({ message: '1', force: true }).catch((e) => e)
      ok(e instanceof DiscordAPIError)
      equal(e.code, 'UNKNOWN_MESSAGE')
    },
  ],
  [
    'delete a channel',
    async () => {
      await cast.text.delete('done')
    },
  ],
  [
    'resume',
    async () => {
      const p = hears(Events.ShardResume)
      await cast.client.ws._ws.strategy.shards.get(0).destroy({ reason: 'test', recover: 1 })
      await p
    },
  ],
  [
    'leave a guild',
    async () => {
      await cast.guild.leave()
      await hears(Events.GuildDelete)
    },
  ],
  [
    'log out',
    async () => {
      await cast.client.destroy()
    },
  ],
]
