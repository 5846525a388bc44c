import { ChannelType, Events } from 'discord.js'
import { cast, equal, hears, ok, stage } from '../support/stage.mjs'

export const threadActions = [
  [
    'react',
    async () => {
      await cast.message.react('👍')
    },
  ],
  [
    'hear a reaction',
    async () => {
      await stage.as(
        stage.bob,
        'PUT',
        `/v1/channels/${cast.channel.id}/messages/${cast.message.id}/reactions/${encodeURIComponent('👍')}/@me`,
      )
      await hears(Events.MessageReactionAdd, (r, u) => u.id === stage.bob.id && r.emoji.name === '👍')
    },
  ],
  [
    'fetch users of a reaction',
    async () => {
      const m = await cast.message.fetch()
      const u = await m.reactions.cache.get('👍').users.fetch()
      equal(u.size, 2)
    },
  ],
  [
    'remove a reaction of another',
    async () => {
      await cast.message.reactions.cache.get('👍').users.remove(stage.bob.id)
      await hears(Events.MessageReactionRemove, (r, u) => u.id === stage.bob.id)
    },
  ],
  [
    'remove all of one emoji',
    async () => {
      await cast.message.react('🎉')
      await cast.message.reactions.cache.get('🎉').remove()
      await hears(Events.MessageReactionRemoveEmoji)
    },
  ],
  [
    'remove all reactions',
    async () => {
      await cast.message.reactions.removeAll()
      await hears(Events.MessageReactionRemoveAll)
    },
  ],
  [
    'delete a message',
    async () => {
      await cast.reply.delete()
      await hears(Events.MessageDelete, (m) => m.id === cast.reply.id)
    },
  ],
  [
    'delete messages in bulk',
    async () => {
      const l = [await cast.channel.send('1'), await cast.channel.send('2')]
      const d = await cast.channel.bulkDelete(l)
      equal(d.size, 2)
    },
  ],
  ['hear of messages deleted in bulk', () => hears(Events.MessageBulkDelete, (m) => m.size === 2)],
  [
    'start a thread on a message',
    async () => {
      cast.thread = await cast.message.startThread({ name: 'about it', autoArchiveDuration: 60 })
      equal(cast.thread.name, 'about it')
    },
  ],
  ['hear of a new thread', () => hears(Events.ThreadCreate, (t) => t.id === cast.thread.id)],
  [
    'start a thread',
    async () => {
      const t = await cast.channel.threads.create({ name: 'private', type: ChannelType.PrivateThread })
      equal(t.type, 12)
      await t.members.add(stage.bob.id)
    },
  ],
  ['hear of thread members', () => hears(Events.ThreadMembersUpdate)],
  [
    'send into a thread',
    async () => {
      const m = await cast.thread.send('inside')
      equal(m.channelId, cast.thread.id)
    },
  ],
  [
    'join and leave a thread',
    async () => {
      await cast.thread.leave()
      await cast.thread.join()
    },
  ],
  [
    'fetch thread members',
    async () => {
      const m = await cast.thread.members.fetch()
      ok(m.has(cast.client.user.id))
    },
  ],
  [
    'fetch active threads',
    async () => {
      const t = await cast.guild.channels.fetchActiveThreads()
      ok(t.threads.has(cast.thread.id))
    },
  ],
  [
    'rename and archive a thread',
    async () => {
      await cast.thread.setName('done')
      await cast.thread.setArchived(true)
      await hears(Events.ThreadUpdate, (o, n) => n.archived)
    },
  ],
  [
    'fetch archived threads',
    async () => {
      const t = await cast.channel.threads.fetchArchived()
      ok(t.threads.has(cast.thread.id))
    },
  ],
  [
    'delete a thread',
    async () => {
      await cast.thread.delete()
      await hears(Events.ThreadDelete, (t) => t.id === cast.thread.id)
    },
  ],
  [
    'create a forum',
    async () => {
      cast.forum = await cast.guild.channels.create({
        name: 'forum',
        type: ChannelType.GuildForum,
        availableTags: [{ name: 'bug' }],
      })
      equal(cast.forum.type, 15)
    },
  ],
  [
    'post in a forum',
    async () => {
      const t = await cast.forum.threads.create({
        name: 'first',
        message: { content: 'post' },
        appliedTags: [cast.forum.availableTags[0].id],
      })
      equal((await t.fetchStarterMessage()).content, 'post')
    },
  ],
]
