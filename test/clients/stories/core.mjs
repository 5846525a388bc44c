import { GatewayDispatchEvents as Events } from '@discordjs/core'
import { cast, equal, hears, ok, png, pngUri, stage } from '../support/stage.mjs'

const dispatched = (event, passes = () => true) => hears(event, ({ data }) => passes(data))
const the = () => cast.client.api

export const coreActions = [
  [
    'connect',
    async () => {
      await cast.client.gateway.connect()
      ;[cast.ready] = await dispatched(Events.Ready)
      equal(cast.ready.data.user.bot, true)
    },
  ],
  [
    'hear of the guild',
    async () => {
      const [{ data }] = await dispatched(Events.GuildCreate, ({ id }) => id === stage.guildId)
      equal(data.name, 'Analytical Engine')
      cast.channel = data.channels.find(({ type }) => type === 0)
    },
  ],
  ['get the Gateway', async () => ok((await the().gateway.getBot()).url)],
  ['get the application', async () => equal((await the().applications.getCurrent()).name, 'Parrot')],
  ['get the bot', async () => equal((await the().users.getCurrent()).bot, true)],
  ['rename the bot', async () => equal((await the().users.edit({ username: 'Macaw' })).username, 'Macaw')],
  ['get own guilds', async () => equal((await the().users.getGuilds())[0].id, stage.guildId)],
  ['get a guild', async () => equal((await the().guilds.get(stage.guildId)).name, 'Analytical Engine')],
  ['get a preview', async () => ok((await the().guilds.getPreview(stage.guildId)).approximate_member_count)],
  [
    'edit a guild',
    async () => {
      await the().guilds.edit(stage.guildId, { name: 'Difference Engine' }, { reason: 'better' })
      await dispatched(Events.GuildUpdate, ({ name }) => name === 'Difference Engine')
    },
  ],
  [
    'create a channel',
    async () => {
      cast.text = await the().guilds.createChannel(stage.guildId, { name: 'plans', topic: 'Of engines' })
      await dispatched(Events.ChannelCreate, ({ id }) => id === cast.text.id)
    },
  ],
  ['edit a channel', async () => equal((await the().channels.edit(cast.text.id, { name: 'drafts' })).name, 'drafts')],
  ['get channels', async () => ok((await the().guilds.getChannels(stage.guildId)).length > 4)],
  ['order channels', () => the().guilds.setChannelPositions(stage.guildId, [{ id: cast.text.id, position: 0 }])],
  [
    'edit and delete an overwrite',
    async () => {
      const body = { type: 0, allow: '0', deny: '2048' }
      await the().channels.editPermissionOverwrite(cast.text.id, stage.guildId, body)
      await the().channels.deletePermissionOverwrite(cast.text.id, stage.guildId)
    },
  ],
  [
    'create a role',
    async () => {
      const wishes = { name: 'Engineers', colors: { primary_color: 0x336699 }, permissions: '2' }
      cast.role = await the().guilds.createRole(stage.guildId, wishes)
      equal(cast.role.color, 0x336699)
    },
  ],
  [
    'get roles',
    async () => {
      ok((await the().guilds.getRoles(stage.guildId)).some(({ id }) => id === cast.role.id))
      equal((await the().guilds.getRole(stage.guildId, cast.role.id)).name, 'Engineers')
    },
  ],
  [
    'edit a role',
    async () => equal((await the().guilds.editRole(stage.guildId, cast.role.id, { hoist: true })).hoist, true),
  ],
  [
    'create an invite',
    async () => {
      cast.invite = await the().channels.createInvite(cast.channel.id, { max_uses: 5 })
      await dispatched(Events.InviteCreate, ({ channel_id, guild_id }) => channel_id && guild_id === stage.guildId)
    },
  ],
  [
    'get invites',
    async () => {
      equal((await the().guilds.getInvites(stage.guildId))[0].code, cast.invite.code)
      equal((await the().invites.get(cast.invite.code)).guild.id, stage.guildId)
    },
  ],
  [
    'hear of a new member',
    async () => {
      for (const who of [stage.bob, stage.cyd]) await stage.as(who, 'POST', `/v1/invites/${cast.invite.code}`, {})
      await dispatched(Events.GuildMemberAdd, ({ user }) => user.id === stage.bob.id)
    },
  ],
  [
    'get members',
    async () => {
      equal((await the().guilds.getMember(stage.guildId, stage.bob.id)).user.username, stage.bob.username)
      equal((await the().guilds.getMembers(stage.guildId, { limit: 10 })).length, 4)
    },
  ],
  [
    'search members',
    async () => {
      const found = await the().guilds.searchForMembers(stage.guildId, { query: stage.bob.username })
      equal(found[0].user.id, stage.bob.id)
    },
  ],
  [
    'request members by the Gateway',
    async () => {
      const asked = { guild_id: stage.guildId, query: '', limit: 0 }
      equal((await cast.client.requestGuildMembers(asked)).members.length, 4)
    },
  ],
  [
    'give and take a role',
    async () => {
      await the().guilds.addRoleToMember(stage.guildId, stage.bob.id, cast.role.id)
      await dispatched(Events.GuildMemberUpdate, ({ roles }) => roles.includes(cast.role.id))
      await the().guilds.removeRoleFromMember(stage.guildId, stage.bob.id, cast.role.id)
    },
  ],
  [
    'edit a member',
    async () => {
      equal((await the().guilds.editMember(stage.guildId, stage.bob.id, { nick: 'Bobby' })).nick, 'Bobby')
    },
  ],
  [
    'kick',
    async () => {
      await the().guilds.removeMember(stage.guildId, stage.cyd.id)
      await dispatched(Events.GuildMemberRemove, ({ user }) => user.id === stage.cyd.id)
    },
  ],
  ['ban', () => the().guilds.banUser(stage.guildId, stage.cyd.id, { delete_message_seconds: 0 }, { reason: 'spam' })],
  [
    'get bans',
    async () => {
      equal((await the().guilds.getMemberBans(stage.guildId))[0].reason, 'spam')
      equal((await the().guilds.getMemberBan(stage.guildId, stage.cyd.id)).user.id, stage.cyd.id)
    },
  ],
  ['unban', () => the().guilds.unbanUser(stage.guildId, stage.cyd.id)],
  [
    'send a message',
    async () => {
      cast.message = await the().channels.createMessage(cast.channel.id, { content: 'Hello' })
      await dispatched(Events.MessageCreate, ({ id }) => id === cast.message.id)
    },
  ],
  [
    'send an embed and a file',
    async () => {
      const files = [{ name: 'a.txt', data: Buffer.from('hello') }]
      const sent = await the().channels.createMessage(cast.channel.id, { embeds: [{ title: 'T' }], files })
      equal([sent.embeds[0].title, sent.attachments[0].filename].join(), 'T,a.txt')
    },
  ],
  [
    'edit a message',
    async () => {
      const edited = await the().channels.editMessage(cast.channel.id, cast.message.id, { content: 'Hello you' })
      equal(edited.content, 'Hello you')
    },
  ],
  [
    'get messages',
    async () => {
      equal((await the().channels.getMessage(cast.channel.id, cast.message.id)).content, 'Hello you')
      ok((await the().channels.getMessages(cast.channel.id, { limit: 5 })).length > 1)
    },
  ],
  ['type', () => the().channels.showTyping(cast.channel.id)],
  [
    'react',
    async () => {
      await the().channels.addMessageReaction(cast.channel.id, cast.message.id, '👍')
      equal((await the().channels.getMessageReactions(cast.channel.id, cast.message.id, '👍')).length, 1)
      await the().channels.deleteAllMessageReactions(cast.channel.id, cast.message.id)
      await dispatched(Events.MessageReactionRemoveAll)
    },
  ],
  [
    'pin and unpin',
    async () => {
      await the().channels.pinMessage(cast.channel.id, cast.message.id)
      equal((await the().channels.getPins(cast.channel.id))[0].id, cast.message.id)
      await the().channels.unpinMessage(cast.channel.id, cast.message.id)
    },
  ],
  [
    'delete messages',
    async () => {
      const send = async (content) => (await the().channels.createMessage(cast.channel.id, { content })).id
      await the().channels.deleteMessage(cast.channel.id, await send('1'))
      await the().channels.bulkDeleteMessages(cast.channel.id, [await send('2'), await send('3')])
      await dispatched(Events.MessageDeleteBulk)
    },
  ],
  [
    'start a thread',
    async () => {
      cast.thread = await the().channels.createThread(cast.channel.id, { name: 'about it' }, cast.message.id)
      await dispatched(Events.ThreadCreate, ({ id }) => id === cast.thread.id)
    },
  ],
  [
    'join and leave a thread',
    async () => {
      await the().threads.leave(cast.thread.id)
      await the().threads.join(cast.thread.id)
      ok((await the().threads.getAllMembers(cast.thread.id)).length > 0)
    },
  ],
  [
    'create a webhook',
    async () => {
      cast.webhook = await the().channels.createWebhook(cast.text.id, { name: 'Hook' })
      equal((await the().channels.getWebhooks(cast.text.id)).length, 1)
    },
  ],
  [
    'execute a webhook',
    async () => {
      const { id, token } = cast.webhook
      const sent = await the().webhooks.execute(id, token, { content: 'from it', wait: true })
      equal((await the().webhooks.editMessage(id, token, sent.id, { content: 'edited' })).content, 'edited')
      await the().webhooks.delete(id)
    },
  ],
  [
    'create an emoji',
    async () => {
      cast.emoji = await the().guilds.createEmoji(stage.guildId, { name: 'dot', image: pngUri })
      equal((await the().guilds.getEmoji(stage.guildId, cast.emoji.id)).name, 'dot')
      await the().guilds.deleteEmoji(stage.guildId, cast.emoji.id)
    },
  ],
  [
    'create a sticker',
    async () => {
      const file = { name: 's.png', data: png, contentType: 'image/png' }
      await the().guilds.createSticker(stage.guildId, { name: 'stick', description: 'one', tags: 'dot', file })
    },
  ],
  ['read the audit log', async () => ok((await the().guilds.getAuditLogs(stage.guildId)).audit_log_entries.length > 5)],
  [
    'send a direct message',
    async () => {
      const { id } = await the().users.createDM(stage.bob.id)
      equal((await the().channels.createMessage(id, { content: 'psst' })).channel_id, id)
    },
  ],
  [
    'be told what is wrong',
    async () => {
      const wrong = await the()
        .channels.createMessage(cast.channel.id, { content: 'x'.repeat(5000) })
        .catch((e) => e)
      ok(wrong.message.startsWith('content: '))
    },
  ],
  [
    'delete a channel',
    async () => {
      await the().channels.delete(cast.text.id)
      await dispatched(Events.ChannelDelete, ({ id }) => id === cast.text.id)
    },
  ],
  [
    'leave the guild',
    async () => {
      await the().users.leaveGuild(stage.guildId)
      await dispatched(Events.GuildDelete, ({ id }) => id === stage.guildId)
    },
  ],
  ['close', () => cast.client.gateway.destroy()],
]
