import { cast, equal, hears, ok, stage } from '../support/stage.mjs'

export const guildActions = [
  [
    'connect',
    async () => {
      await cast.client.connect()
      await hears('ready')
    },
  ],
  [
    'know the guild',
    async () => {
      await hears('guildCreate')
      cast.guild = cast.client.guilds.get(stage.guildId)
      equal(cast.guild.name, 'Analytical Engine')
      ok(cast.guild.channels.size >= 2)
      equal(cast.guild.ownerID, stage.ada.id)
    },
  ],
  [
    'know own permissions',
    () => {
      ok(cast.guild.permissionsOf(cast.client.user.id).has('administrator'))
      cast.channel = cast.guild.channels.find((x) => x.type === 0)
    },
  ],
  ['set status', () => cast.client.editStatus('idle', [{ name: 'x', type: 0 }])],
  [
    'rename self',
    async () => {
      const u = await cast.client.editSelf({ username: 'Macaw' })
      equal(u.username, 'Macaw')
    },
  ],
  ['get self', async () => ok((await cast.client.getSelf()).id)],
  ['get rest guild', async () => equal((await cast.client.getRESTGuild(cast.guild.id)).name, cast.guild.name)],
  ['get rest guilds', async () => equal((await cast.client.getRESTGuilds())[0].name, cast.guild.name)],
  ['get guild preview', async () => ok((await cast.client.getGuildPreview(cast.guild.id)).name)],
  ['edit guild', async () => equal((await cast.guild.edit({ name: 'Difference' })).name, 'Difference')],
  [
    'create channel',
    async () => {
      cast.text = await cast.guild.createChannel('plans', 0, { topic: 't' })
      equal(cast.text.topic, 't')
    },
  ],
  ['hear channel create', () => hears('channelCreate', (x) => x.id === cast.text.id)],
  ['get rest channel', async () => equal((await cast.client.getRESTChannel(cast.text.id)).name, 'plans')],
  ['get rest channels', async () => ok((await cast.guild.getRESTChannels()).length > 3)],
  ['edit channel', async () => equal((await cast.text.edit({ name: 'drafts', rateLimitPerUser: 1 })).name, 'drafts')],
  [
    'edit channel position',
    async () => {
      await cast.client.editChannelPosition(cast.text.id, 1)
    },
  ],
  [
    'edit overwrite',
    async () => {
      await cast.text.editPermission(cast.guild.id, 0n, 64n, 0, 'why')
    },
  ],
  [
    'delete overwrite',
    async () => {
      await cast.text.deletePermission(cast.guild.id)
    },
  ],
  [
    'create role',
    async () => {
      cast.role = await cast.guild.createRole({ name: 'R', color: 0x336699, hoist: true })
      equal(cast.role.color, 0x336699)
    },
  ],
  ['get rest roles', async () => ok((await cast.guild.getRESTRoles()).length >= 2)],
  ['edit role', async () => equal((await cast.role.edit({ name: 'RR', permissions: 8n })).name, 'RR')],
  [
    'edit role position',
    async () => {
      await cast.role.editPosition(1)
    },
  ],
  [
    'create invite',
    async () => {
      cast.invite = await cast.channel.createInvite({ maxAge: 0, maxUses: 5 })
      ok(cast.invite.code)
    },
  ],
  ['hear invite create', () => hears('inviteCreate', (gg, i) => i.code === cast.invite.code)],
  [
    'get invite',
    async () => {
      const i = await cast.client.getInvite(cast.invite.code, true)
      equal(i.guild.name, 'Difference')
      ok(i.memberCount >= 2)
    },
  ],
  ['get guild invites', async () => equal((await cast.guild.getInvites())[0].code, cast.invite.code)],
  ['get channel invites', async () => equal((await cast.channel.getInvites())[0].code, cast.invite.code)],
  [
    'hear member add',
    async () => {
      for (const who of [stage.bob, stage.cyd]) await stage.as(who, 'POST', `/v1/invites/${cast.invite.code}`, {})
      await hears('guildMemberAdd', (gg, mm) => mm.id === stage.bob.id)
      stage.sets('online')
    },
  ],
  [
    'delete invite',
    async () => {
      await cast.invite.delete()
      await hears('inviteDelete')
    },
  ],
  [
    'get rest member',
    async () => {
      cast.message = await cast.guild.getRESTMember(stage.bob.id)
      equal(cast.message.username, stage.bob.username)
    },
  ],
  ['get rest members', async () => equal((await cast.guild.getRESTMembers({ limit: 10 })).length, 4)],
  ['search members', async () => ok((await cast.guild.searchMembers(stage.bob.username)).length >= 1)],
  [
    'fetch members',
    async () => {
      ok((await cast.guild.fetchMembers({ query: stage.bob.username, limit: 3 })).length >= 1)
    },
  ],
  [
    'add role',
    async () => {
      await cast.guild.addMemberRole(stage.bob.id, cast.role.id, 'r')
      await hears('guildMemberUpdate', (gg, mm) => mm.id === stage.bob.id && mm.roles.includes(cast.role.id))
    },
  ],
  [
    'remove role',
    async () => {
      await cast.guild.removeMemberRole(stage.bob.id, cast.role.id)
    },
  ],
  [
    'edit member',
    async () => {
      equal((await cast.guild.editMember(stage.bob.id, { nick: 'Bobby' })).nick, 'Bobby')
    },
  ],
  [
    'edit own nick',
    async () => {
      await cast.guild.editMember('@me', { nick: 'P' })
    },
  ],
  [
    'time out',
    async () => {
      await cast.guild.editMember(stage.bob.id, { communicationDisabledUntil: new Date(Date.now() + 60000) })
      await cast.guild.editMember(stage.bob.id, { communicationDisabledUntil: null })
    },
  ],
  [
    'kick',
    async () => {
      await cast.guild.kickMember(stage.cyd.id, 'x')
      await hears('guildMemberRemove')
    },
  ],
  [
    'ban',
    async () => {
      await cast.guild.banMember(stage.cyd.id, { deleteMessageSeconds: 10, reason: 'spam' })
      await hears('guildBanAdd')
    },
  ],
  [
    'get bans',
    async () => {
      equal((await cast.guild.getBans())[0].reason, 'spam')
    },
  ],
  [
    'get ban',
    async () => {
      equal((await cast.guild.getBan(stage.cyd.id)).user.id, stage.cyd.id)
    },
  ],
  [
    'unban',
    async () => {
      await cast.guild.unbanMember(stage.cyd.id)
      await hears('guildBanRemove')
    },
  ],
  ['get rest user', async () => equal((await cast.client.getRESTUser(stage.cyd.id)).username, stage.cyd.username)],
]
