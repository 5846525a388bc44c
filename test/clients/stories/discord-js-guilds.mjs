import { ChannelType, Events } from 'discord.js'
import { cast, equal, hears, ok, png, stage } from '../support/stage.mjs'

export const guildActions = [
  ['log in', () => cast.client.login(stage.token)],
  [
    'hear ready',
    async () => {
      if (!cast.client.isReady()) await hears(Events.ClientReady)
      ok(cast.client.user.username)
    },
  ],
  [
    'know the guilds by name',
    async () => {
      while (!cast.client.guilds.cache.size) await new Promise((r) => setTimeout(r, 20))
      cast.guild = cast.client.guilds.cache.first()
      equal(cast.guild.name, 'Analytical Engine')
      ok(cast.guild.ownerId)
    },
  ],
  [
    'know the channels of a guild',
    () => {
      cast.channel = cast.guild.channels.cache.find((c) => c.type === 0)
      ok(cast.channel.name === 'general')
      ok(cast.channel.isTextBased())
    },
  ],
  [
    'know own member and permissions',
    () => {
      ok(cast.guild.members.me)
      ok(cast.guild.members.me.permissions.has('Administrator'))
      ok(cast.channel.permissionsFor(cast.guild.members.me).has('SendMessages'))
    },
  ],
  [
    'set presence',
    () => {
      cast.client.user.setPresence({ status: 'idle', activities: [{ name: 'x', type: 0 }] })
    },
  ],
  [
    'measure the ping',
    async () => {
      ok(Number.isFinite(cast.client.ws.ping))
    },
  ],
  [
    'fetch the application',
    async () => {
      const a = await cast.client.application.fetch()
      ok(a.name)
    },
  ],
  [
    'rename the bot',
    async () => {
      const u = await cast.client.user.setUsername('Macaw')
      equal(u.username, 'Macaw')
    },
  ],
  [
    'give the bot an avatar',
    async () => {
      const u = await cast.client.user.setAvatar(png)
      ok(u.avatar)
    },
  ],
  [
    'fetch guilds',
    async () => {
      const l = await cast.client.guilds.fetch()
      ok(l.has(cast.guild.id))
      equal(l.first().name, cast.guild.name)
    },
  ],
  [
    'fetch a guild',
    async () => {
      const g = await cast.guild.fetch()
      ok(g.name)
    },
  ],
  [
    'fetch a guild preview',
    async () => {
      const p = await cast.client.fetchGuildPreview(cast.guild.id)
      ok(p.name)
    },
  ],
  [
    'edit a guild',
    async () => {
      const g = await cast.guild.edit({ name: 'Difference Engine', reason: 'better' })
      equal(g.name, 'Difference Engine')
    },
  ],
  [
    'hear of an edited guild',
    () => hears(Events.GuildUpdate, (o, n) => n.name === 'Difference Engine' && o.name === 'Analytical Engine'),
  ],
  [
    'set a guild icon',
    async () => {
      const g = await cast.guild.setIcon(png)
      ok(g.icon)
    },
  ],
  [
    'fetch the owner',
    async () => {
      const o = await cast.guild.fetchOwner()
      equal(o.id, stage.ada.id)
    },
  ],
  [
    'create a text channel',
    async () => {
      cast.text = await cast.guild.channels.create({ name: 'plans', topic: 'Of engines' })
      equal(cast.text.name, 'plans')
    },
  ],
  ['hear of a new channel', () => hears(Events.ChannelCreate, (c) => c.id === cast.text.id)],
  [
    'create a category',
    async () => {
      cast.cat = await cast.guild.channels.create({ name: 'Works', type: ChannelType.GuildCategory })
      equal(cast.cat.type, 4)
    },
  ],
  [
    'create a voice channel',
    async () => {
      cast.voice = await cast.guild.channels.create({
        name: 'talk',
        type: ChannelType.GuildVoice,
        bitrate: 64000,
        userLimit: 5,
      })
      equal(cast.voice.bitrate, 64000)
    },
  ],
  [
    'create a channel with overwrites',
    async () => {
      const c = await cast.guild.channels.create({
        name: 'closed',
        permissionOverwrites: [{ id: cast.guild.id, deny: ['ViewChannel'] }],
      })
      ok(!c.permissionsFor(cast.guild.roles.everyone).has('ViewChannel'))
    },
  ],
  [
    'fetch channels',
    async () => {
      const c = await cast.guild.channels.fetch()
      ok(c.size >= 6)
    },
  ],
  [
    'fetch a channel',
    async () => {
      const c = await cast.client.channels.fetch(cast.text.id, { force: true })
      equal(c.name, 'plans')
    },
  ],
  [
    'rename a channel',
    async () => {
      const c = await cast.text.setName('drafts')
      equal(c.name, 'drafts')
    },
  ],
  [
    'hear of an edited channel',
    async () => {
      await stage.as(stage.ada, 'PATCH', `/v1/channels/${cast.text.id}`, { name: 'sketches' })
      await hears(Events.ChannelUpdate, (o, n) => o.name === 'drafts' && n.name === 'sketches')
    },
  ],
  [
    'set a topic',
    async () => {
      const c = await cast.text.setTopic('Of mills')
      equal(c.topic, 'Of mills')
    },
  ],
  [
    'set slow mode',
    async () => {
      const c = await cast.text.setRateLimitPerUser(5)
      equal(c.rateLimitPerUser, 5)
      await cast.text.setRateLimitPerUser(0)
    },
  ],
  [
    'move a channel into a category',
    async () => {
      const c = await cast.text.setParent(cast.cat.id)
      equal(c.parentId, cast.cat.id)
    },
  ],
  [
    'set the position of a channel',
    async () => {
      const c = await cast.text.setPosition(1)
      ok(c)
    },
  ],
  [
    'set positions of channels',
    async () => {
      await cast.guild.channels.setPositions([
        { channel: cast.text.id, position: 0 },
        { channel: cast.channel.id, position: 1 },
      ])
    },
  ],
  [
    'add an overwrite',
    async () => {
      await cast.text.permissionOverwrites.create(cast.guild.roles.everyone, { SendMessages: false })
      await hears(Events.ChannelUpdate, (o, n) => !n.permissionsFor(cast.guild.roles.everyone).has('SendMessages'))
    },
  ],
  [
    'edit an overwrite',
    async () => {
      await cast.text.permissionOverwrites.edit(cast.guild.roles.everyone, { SendMessages: true, AddReactions: false })
    },
  ],
  [
    'delete an overwrite',
    async () => {
      await cast.text.permissionOverwrites.delete(cast.guild.roles.everyone)
    },
  ],
  [
    'set all overwrites',
    async () => {
      await cast.text.permissionOverwrites.set([{ id: cast.guild.id, deny: ['AddReactions'] }])
      await cast.text.permissionOverwrites.set([])
    },
  ],
  [
    'clone a channel',
    async () => {
      const c = await cast.text.clone()
      equal(c.name, cast.text.name)
      await c.delete()
    },
  ],
  ['hear of a deleted channel', () => hears(Events.ChannelDelete)],
  [
    'create an announcement channel',
    async () => {
      cast.news = await cast.guild.channels.create({ name: 'news', type: ChannelType.GuildAnnouncement })
      equal(cast.news.type, 5)
    },
  ],
]
