import { expect } from 'vitest'
import { permissionBits, type PermissionName } from '../../../domain/permissions/permission-bits.ts'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { accept, bodyOf, found, invite, type TestGuild } from './answers.ts'

/** A guild with the actions of a test. */
export interface Place extends TestGuild {
  readonly owner: TestAccount
  /** Sends a request below the guild's path. */
  send(account: TestAccount, method: string, path: string, body?: unknown, headers?: Headers): Promise<TestAnswer>
  /** A new account that joins. */
  member(): Promise<TestAccount>
  /** Creates a role above those created before; returns its id. */
  role(...permissions: readonly PermissionName[]): Promise<string>
  /** Gives roles to a member. */
  give(account: TestAccount, ...roles: readonly string[]): Promise<void>
  /** A new member with a role of these permissions, above the roles created before. */
  holder(...permissions: readonly PermissionName[]): Promise<TestAccount>
  /** The entries of an action in the audit log, newest first. */
  entries(action: number): Promise<readonly Readonly<Record<string, unknown>>[]>
}

type Headers = Readonly<Record<string, string>>

/** Founds a guild for an owner. */
export async function placeOf(guildhall: TestGuildhall, owner: TestAccount): Promise<Place> {
  const guild = await found(guildhall, owner)
  const send: Place['send'] = ({ token }, method, path, body, headers = {}) =>
    guildhall.request(method, `/v1/guilds/${guild.id}${path}`, {
      token,
      headers,
      ...(body === undefined ? {} : { body }),
    })
  const places: string[] = []
  let code: Promise<string> | undefined
  const place: Place = {
    ...guild,
    owner,
    send,
    async member() {
      const account = await guildhall.register()
      const joined = await accept(guildhall, account, await (code ??= invite(guildhall, owner, guild.channel)))
      expect(joined.status).toBe(200)
      return account
    },
    async role(...permissions) {
      const mask = permissions.reduce((bits, name) => bits | permissionBits[name], 0n).toString()
      const id = String(bodyOf(await send(owner, 'POST', '/roles', { name: 'Crew', permissions: mask }))['id'])
      places.push(id)
      // A new role gets position 1, so the first one is in the right place.
      if (places.length === 1) return id
      const positions = places.map((role, index) => ({ id: role, position: index + 1 }))
      expect((await send(owner, 'PATCH', '/roles', positions)).status).toBe(204)
      return id
    },
    async give(account, ...roles) {
      for (const role of roles)
        expect((await send(owner, 'PUT', `/members/${account.id}/roles/${role}`)).status).toBe(204)
    },
    async holder(...permissions) {
      const account = await place.member()
      await place.give(account, await place.role(...permissions))
      return account
    },
    async entries(action) {
      const log = bodyOf(await send(owner, 'GET', `/audit-logs?action_type=${action}`))
      return log['audit_log_entries'] as readonly Readonly<Record<string, unknown>>[]
    },
  }
  return place
}
