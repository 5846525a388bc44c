import { Events } from 'discord.js'
import { cast, equal, hears, ok, stage } from '../support/stage.mjs'

export const peopleActions = [
  [
    'create a role',
    async () => {
      cast.role = await cast.guild.roles.create({
        name: 'Engineers',
        colors: { primaryColor: 0x336699 },
        permissions: ['KickMembers'],
      })
      equal(cast.role.name, 'Engineers')
    },
  ],
  [
    'role has its colour',
    async () => {
      equal(cast.role.color, 0x336699)
    },
  ],
  ['hear of a new role', () => hears(Events.GuildRoleCreate, (r) => r.id === cast.role.id)],
  [
    'fetch roles',
    async () => {
      const r = await cast.guild.roles.fetch()
      ok(r.has(cast.role.id))
    },
  ],
  [
    'fetch a role',
    async () => {
      const r = await cast.guild.roles.fetch(cast.role.id, { force: true })
      equal(r.name, 'Engineers')
    },
  ],
  [
    'edit a role',
    async () => {
      const r = await cast.role.edit({ name: 'Mechanics', hoist: true, mentionable: true, reason: 'oil' })
      equal(r.name, 'Mechanics')
    },
  ],
  [
    'set a role colour',
    async () => {
      const r = await cast.role.setColor(0xff0000)
      equal(r.color, 0xff0000)
    },
  ],
  [
    'set role permissions',
    async () => {
      const r = await cast.role.setPermissions(['BanMembers', 'KickMembers'])
      ok(r.permissions.has('BanMembers'))
    },
  ],
  ['hear of an edited role', () => hears(Events.GuildRoleUpdate, (o, n) => n.name === 'Mechanics')],
  [
    'set the position of a role',
    async () => {
      const other = await cast.guild.roles.create({ name: 'Low' })
      const own = cast.guild.members.me.roles.botRole ?? cast.guild.roles.cache.find(({ name }) => name === 'Parrot')
      await stage.as(stage.ada, 'PATCH', `/v1/guilds/${cast.guild.id}/roles`, [{ id: own.id, position: 9 }])
      await cast.guild.roles.fetch()
      await cast.role.setPosition(1)
      await other.delete()
    },
  ],
  ['hear of a deleted role', () => hears(Events.GuildRoleDelete, (r) => r.name === 'Low')],
  [
    'create an invite',
    async () => {
      cast.invite = await cast.channel.createInvite({ maxAge: 3600, maxUses: 5, unique: true })
      ok(cast.invite.code)
    },
  ],
  [
    'hear of a new invite',
    () =>
      hears(
        Events.InviteCreate,
        (i) =>
          i.code === cast.invite.code &&
          i.guild.id === cast.guild.id &&
          i.channel.id === cast.channel.id &&
          i.inviter.id === cast.client.user.id,
      ),
  ],
  [
    'fetch an invite',
    async () => {
      const i = await cast.client.fetchInvite(cast.invite.code)
      ok(i.memberCount >= 2)
      equal(i.guild.name, cast.guild.name)
    },
  ],
  [
    'fetch invites of a guild',
    async () => {
      const i = await cast.guild.invites.fetch()
      ok(i.has(cast.invite.code))
      equal(i.get(cast.invite.code).uses, 0)
    },
  ],
  [
    'fetch invites of a channel',
    async () => {
      const i = await cast.channel.fetchInvites()
      ok(i.has(cast.invite.code))
    },
  ],
  [
    'hear of a new member',
    async () => {
      for (const who of [stage.bob, stage.cyd]) await stage.as(who, 'POST', `/v1/invites/${cast.invite.code}`, {})
      await hears(Events.GuildMemberAdd, (m) => m.id === stage.bob.id)
      stage.sets('online')
    },
  ],
  [
    'delete an invite',
    async () => {
      await cast.invite.delete()
    },
  ],
  ['hear of a deleted invite', () => hears(Events.InviteDelete, (i) => i.code === cast.invite.code)],
  [
    'fetch a member',
    async () => {
      cast.member = await cast.guild.members.fetch({ user: stage.bob.id, force: true })
      equal(cast.member.user.username, stage.bob.username)
    },
  ],
  [
    'fetch all members by the Gateway',
    async () => {
      const m = await cast.guild.members.fetch()
      equal(m.size, 4)
    },
  ],
  [
    'fetch members by name',
    async () => {
      const m = await cast.guild.members.fetch({ query: stage.bob.username, limit: 5 })
      ok(m.has(stage.bob.id))
    },
  ],
  [
    'list members',
    async () => {
      const m = await cast.guild.members.list({ limit: 10 })
      equal(m.size, 4)
    },
  ],
  [
    'search members',
    async () => {
      const m = await cast.guild.members.search({ query: stage.bob.username })
      ok(m.has(stage.bob.id))
    },
  ],
  [
    'add a role',
    async () => {
      const m = await cast.member.roles.add(cast.role)
      ok(m.roles.cache.has(cast.role.id))
    },
  ],
  [
    'hear of a changed member',
    () => hears(Events.GuildMemberUpdate, (o, n) => n.id === stage.bob.id && n.roles.cache.has(cast.role.id)),
  ],
  [
    'remove a role',
    async () => {
      await cast.member.roles.remove(cast.role)
    },
  ],
  [
    'set roles',
    async () => {
      const m = await cast.member.roles.set([cast.role])
      ok(m.roles.cache.has(cast.role.id))
    },
  ],
  [
    'set a nickname',
    async () => {
      const m = await cast.member.setNickname('Bobby', 'why')
      equal(m.nickname, 'Bobby')
    },
  ],
  [
    'set own nickname',
    async () => {
      const m = await cast.guild.members.me.setNickname('Polly')
      equal(m.nickname, 'Polly')
    },
  ],
  [
    'time a member out',
    async () => {
      const m = await cast.member.timeout(60_000, 'rest')
      ok(m.isCommunicationDisabled())
      await cast.member.timeout(null)
    },
  ],
  [
    'kick a member',
    async () => {
      await cast.guild.members.kick(stage.cyd.id, 'go')
    },
  ],
  ['hear of a gone member', () => hears(Events.GuildMemberRemove, (m) => m.id === stage.cyd.id)],
  [
    'fetch a user',
    async () => {
      const u = await cast.client.users.fetch(stage.cyd.id, { force: true })
      equal(u.username, stage.cyd.username)
    },
  ],
  [
    'ban',
    async () => {
      await cast.guild.members.ban(stage.cyd.id, { reason: 'spam', deleteMessageSeconds: 3600 })
    },
  ],
  ['hear of a ban', () => hears(Events.GuildBanAdd, (b) => b.user.id === stage.cyd.id)],
  [
    'fetch bans',
    async () => {
      const b = await cast.guild.bans.fetch()
      equal(b.get(stage.cyd.id).reason, 'spam')
    },
  ],
  [
    'fetch a ban',
    async () => {
      const b = await cast.guild.bans.fetch({ user: stage.cyd.id, force: true })
      equal(b.reason, 'spam')
    },
  ],
  [
    'unban',
    async () => {
      await cast.guild.bans.remove(stage.cyd.id, 'sorry')
    },
  ],
  ['hear of a lifted ban', () => hears(Events.GuildBanRemove, (b) => b.user.id === stage.cyd.id)],
]
