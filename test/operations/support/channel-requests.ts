import type { Ports } from '../../../application/ports.ts'
import type { GuildFeature } from '../../../domain/guild/features.ts'
import { guildId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { permissionBits, type PermissionName } from '../../../domain/permissions/permission-bits.ts'
import { testContext } from '../../support/test-context.ts'
import type { TestAccount, TestAnswer } from '../../support/test-guildhall.ts'
import { bodyOf, listOf } from './answers.ts'
import type { Scene } from './scene.ts'

export const withThreads = { 'x-service-features': 'channel_threads' }

/** The requests of the tests of guild channels. The scene is a function, because every test has its own guild. */
export function channelRequests(scene: () => Pick<Scene, 'ada' | 'guildhall' | 'home'>) {
  const send = (
    account: TestAccount,
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestAnswer> =>
    scene().guildhall.request(method, path, { token: account.token, headers, ...(body === undefined ? {} : { body }) })
  const path = (id = scene().home.id): string => `/v1/guilds/${id}/channels`
  const make = (account: TestAccount, body: unknown, headers = {}) => send(account, 'POST', path(), body, headers)
  /** Runs a command of the guild, and waits until the read models have its events. */
  const command = async (...args: Parameters<Ports['aggregates']['guild']['execute']>): Promise<void> => {
    const { guildhall } = scene()
    await guildhall.ports.aggregates.guild.execute(...args)
    await guildhall.readModels.reached(args[2].written)
  }
  return {
    send,
    path,
    make,
    list: async (account = scene().ada, headers = {}) => listOf(await send(account, 'GET', path(), undefined, headers)),
    read: (account: TestAccount, id: string, headers = {}) =>
      send(account, 'GET', `/v1/channels/${id}`, undefined, headers),
    change: (account: TestAccount, id: string, body: unknown, headers = {}) =>
      send(account, 'PATCH', `/v1/channels/${id}`, body, headers),
    remove: (account: TestAccount, id: string) => send(account, 'DELETE', `/v1/channels/${id}`),
    made: async (body: object): Promise<string> =>
      String(bodyOf(await make(scene().ada, { name: 'made', ...body }))['id']),
    /** Gives everyone in the guild more permissions. */
    async allow(...names: readonly PermissionName[]): Promise<void> {
      const { ada, home } = scene()
      const roles = listOf(await send(ada, 'GET', `/v1/guilds/${home.id}/roles`, undefined, withThreads))
      const now = BigInt(String(roles.at(-1)?.['permissions']))
      const permissions = names.reduce((bits, name) => bits | permissionBits[name], now).toString()
      const headers = { 'x-service-features': 'channel_threads,view_channel_members_permission' }
      bodyOf(await send(ada, 'PATCH', `/v1/guilds/${home.id}/roles/${home.id}`, { permissions }, headers))
    },
    command,
    setFeatures: (...features: readonly GuildFeature[]): Promise<void> =>
      command(guildId(snowflake(scene().home.id)), { type: 'SetFeatures', features }, testContext()),
    async entriesOf(action: number): Promise<unknown> {
      const { ada, home } = scene()
      const log = `/v1/guilds/${home.id}/audit-logs?action_type=${action}`
      return bodyOf(await send(ada, 'GET', log, undefined, withThreads))['audit_log_entries']
    },
  }
}
