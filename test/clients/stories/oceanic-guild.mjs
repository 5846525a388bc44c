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
      equal(cast.guild.ownerID, stage.ada.id)
      ok(cast.guild.channels.size >= 2)
      cast.channel = cast.guild.channels.find((y) => y.type === 0)
    },
  ],
  ['know own permissions', () => ok(cast.guild.permissionsOf(cast.client.user.id).has('ADMINISTRATOR'))],
  ['set status', () => cast.client.editStatus('idle', [{ name: 'x', type: 0 }])],
  ['get application', async () => ok((await cast.client.rest.applications.getCurrent()).name)],
  ['rename', async () => equal((await cast.client.rest.users.editSelf({ username: 'Macaw' })).username, 'Macaw')],
  ['get guild', async () => equal((await cast.client.rest.guilds.get(cast.guild.id)).name, cast.guild.name)],
  ['get own guilds', async () => equal((await cast.client.rest.oauth.getCurrentGuilds())[0].name, cast.guild.name)],
  ['get preview', async () => ok((await cast.client.rest.guilds.getPreview(cast.guild.id)).name)],
  [
    'edit guild',
    async () => {
      equal((await cast.guild.edit({ name: 'Difference' })).name, 'Difference')
      await hears('guildUpdate')
    },
  ],
  [
    'create channel',
    async () => {
      cast.text = await cast.guild.createChannel(0, { name: 'plans', topic: 't' })
      equal(cast.text.topic, 't')
      await hears('channelCreate')
    },
  ],
  [
    'get channels',
    async () => {
      ok((await cast.guild.getChannels()).length > 3)
      equal((await cast.client.rest.channels.get(cast.text.id)).name, 'plans')
    },
  ],
  [
    'edit channel',
    async () => {
      equal((await cast.text.edit({ name: 'drafts', position: 1 })).name, 'drafts')
      await hears('channelUpdate')
    },
  ],
  ['edit channel positions', () => cast.guild.editChannelPositions([{ id: cast.text.id, position: 0 }])],
  [
    'overwrites',
    async () => {
      await cast.text.editPermission(cast.guild.id, { type: 0, deny: '64', allow: '0' })
      await cast.text.deletePermission(cast.guild.id)
    },
  ],
  [
    'create role',
    async () => {
      cast.role = await cast.guild.createRole({ name: 'R', color: 0x336699, hoist: true })
      equal(cast.role.color, 0x336699)
      await hears('guildRoleCreate')
    },
  ],
  [
    'get roles',
    async () => {
      ok((await cast.guild.getRoles()).length >= 2)
      equal((await cast.client.rest.guilds.getRole(cast.guild.id, cast.role.id)).name, 'R')
    },
  ],
  [
    'edit role',
    async () => {
      equal((await cast.role.edit({ name: 'RR', permissions: '8' })).name, 'RR')
      await hears('guildRoleUpdate')
    },
  ],
  ['role positions', () => cast.guild.editRolePositions([{ id: cast.role.id, position: 1 }])],
  [
    'delete role',
    async () => {
      const r = await cast.guild.createRole({ name: 'x' })
      await cast.guild.deleteRole(r.id)
      await hears('guildRoleDelete')
    },
  ],
  [
    'create invite',
    async () => {
      cast.invite = await cast.channel.createInvite({ maxAge: 0, maxUses: 5 })
      ok(cast.invite.code)
      await hears('inviteCreate', (i) => i.code === cast.invite.code && i.guild?.id === cast.guild.id)
    },
  ],
  [
    'get invite',
    async () => {
      const i = await cast.client.rest.channels.getInvite(cast.invite.code, { withCounts: true })
      equal(i.guild.name, 'Difference')
    },
  ],
  [
    'get invites',
    async () => {
      equal((await cast.guild.getInvites())[0].code, cast.invite.code)
      equal((await cast.channel.getInvites())[0].code, cast.invite.code)
    },
  ],
  [
    'hear member add',
    async () => {
      for (const who of [stage.bob, stage.cyd]) await stage.as(who, 'POST', `/v1/invites/${cast.invite.code}`, {})
      await hears('guildMemberAdd', (mm) => mm.id === stage.bob.id)
      stage.sets('online')
    },
  ],
  [
    'delete invite',
    async () => {
      await cast.client.rest.channels.deleteInvite(cast.invite.code)
      await hears('inviteDelete')
    },
  ],
  ['get member', async () => equal((await cast.guild.getMember(stage.bob.id)).username, stage.bob.username)],
  ['get members', async () => equal((await cast.guild.getMembers({ limit: 10 })).length, 4)],
  [
    'search members',
    async () => ok((await cast.guild.searchMembers({ query: stage.bob.username, limit: 5 })).length >= 1),
  ],
  [
    'fetch members',
    async () => ok((await cast.guild.fetchMembers({ query: stage.bob.username, limit: 3 })).length >= 1),
  ],
  [
    'member role',
    async () => {
      await cast.guild.addMemberRole(stage.bob.id, cast.role.id, 'r')
      await hears('guildMemberUpdate', (mm) => mm.roles.includes(cast.role.id))
      await cast.guild.removeMemberRole(stage.bob.id, cast.role.id)
    },
  ],
  ['edit member', async () => equal((await cast.guild.editMember(stage.bob.id, { nick: 'Bobby' })).nick, 'Bobby')],
  [
    'edit self',
    async () => {
      await cast.guild.editCurrentMember({ nick: 'P' })
    },
  ],
  [
    'time out',
    async () => {
      await cast.guild.editMember(stage.bob.id, {
        communicationDisabledUntil: new Date(Date.now() + 60000).toISOString(),
      })
      await cast.guild.editMember(stage.bob.id, { communicationDisabledUntil: null })
    },
  ],
  [
    'kick',
    async () => {
      await cast.guild.removeMember(stage.cyd.id, 'x')
      await hears('guildMemberRemove')
    },
  ],
  [
    'ban',
    async () => {
      await cast.guild.createBan(stage.cyd.id, { deleteMessageSeconds: 10, reason: 'spam' })
      await hears('guildBanAdd')
    },
  ],
  [
    'get bans',
    async () => {
      equal((await cast.guild.getBans())[0].reason, 'spam')
      equal((await cast.guild.getBan(stage.cyd.id)).user.id, stage.cyd.id)
    },
  ],
  [
    'unban',
    async () => {
      await cast.guild.removeBan(stage.cyd.id)
      await hears('guildBanRemove')
    },
  ],
  ['get user', async () => equal((await cast.client.rest.users.get(stage.cyd.id)).username, stage.cyd.username)],
]
