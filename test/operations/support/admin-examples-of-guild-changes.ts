import type { AdminExample, ExampleStage } from './admin-example.ts'
import { accept, bodyOf, found, invite } from './answers.ts'
import { newCode } from './custom-codes.ts'

const unknownGuild = '/v1/admin/guilds/1'

/** A guild that the administrator has founded, and its path. */
async function guildOf({ guildhall, admin }: ExampleStage) {
  const guild = await found(guildhall, admin)
  return { ...guild, path: `/v1/admin/guilds/${guild.id}` }
}

/** Another member of such a guild. */
async function memberOf(stage: ExampleStage) {
  const { guildhall, admin } = stage
  const guild = await guildOf(stage)
  const member = await guildhall.register()
  bodyOf(await accept(guildhall, member, await invite(guildhall, admin, guild.channel)))
  return { guild, member }
}

/** The examples of what administrators change of guilds. */
export const guildChangeExamples: Readonly<Record<string, AdminExample>> = {
  'Update Admin guild': {
    succeeds: async (stage) => ({
      path: (await guildOf(stage)).path,
      body: { name: 'Engine' },
    }),
    refused: () => ({ path: unknownGuild, body: { name: 'Engine' }, status: 404 }),
  },
  'Update guild features': {
    succeeds: async (stage) => ({
      path: `${(await guildOf(stage)).path}/features`,
      body: { add_features: ['VERIFIED'], remove_features: [] },
    }),
    refused: () => ({ path: `${unknownGuild}/features`, body: { add_features: ['VERIFIED'] }, status: 404 }),
  },
  'Set guild owner': {
    succeeds: async (stage) => {
      const { guild, member } = await memberOf(stage)
      return { path: `${guild.path}/owner`, body: { new_owner_id: member.id } }
    },
    refused: ({ admin }) => ({ path: `${unknownGuild}/owner`, body: { new_owner_id: admin.id }, status: 404 }),
  },
  'Set guild custom invite URL': {
    succeeds: async (stage) => ({ path: `${(await guildOf(stage)).path}/vanity-url`, body: { code: newCode() } }),
    refused: () => ({ path: `${unknownGuild}/vanity-url`, body: { code: newCode() }, status: 404 }),
  },
  'Remove guild custom invite URL': {
    succeeds: async (stage) => {
      const path = `${(await guildOf(stage)).path}/vanity-url`
      const { guildhall, admin } = stage
      bodyOf(await guildhall.request('PUT', path, { token: admin.token, body: { code: newCode() } }))
      return { path }
    },
    refused: () => ({ path: `${unknownGuild}/vanity-url`, status: 404 }),
  },
  'Add guild member': {
    succeeds: async (stage) => ({
      path: `${(await guildOf(stage)).path}/members/${(await stage.guildhall.register()).id}`,
    }),
    refused: ({ admin }) => ({ path: `${unknownGuild}/members/${admin.id}`, status: 404 }),
  },
  'Kick guild member': {
    succeeds: async (stage) => {
      const { guild, member } = await memberOf(stage)
      return { path: `${guild.path}/members/${member.id}` }
    },
    refused: ({ admin }) => ({ path: `${unknownGuild}/members/${admin.id}`, status: 404 }),
  },
  'Ban guild member': {
    succeeds: async (stage) => {
      const { guild, member } = await memberOf(stage)
      return { path: `${guild.path}/bans/${member.id}`, body: { reason: 'spam', delete_message_seconds: 60 } }
    },
    refused: ({ admin }) => ({ path: `${unknownGuild}/bans/${admin.id}`, body: {}, status: 404 }),
  },
  'Unban guild member': {
    succeeds: async (stage) => {
      const { guild, member } = await memberOf(stage)
      const path = `${guild.path}/bans/${member.id}`
      bodyOf(await stage.guildhall.request('PUT', path, { token: stage.admin.token, body: {} }))
      return { path }
    },
    refused: ({ admin }) => ({ path: `${unknownGuild}/bans/${admin.id}`, status: 404 }),
  },
  'Delete Admin guild': {
    succeeds: async (stage) => ({ path: (await guildOf(stage)).path }),
    refused: () => ({ path: unknownGuild, status: 404 }),
  },
}
