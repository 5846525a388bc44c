import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RecordedEvent } from '../../../../application/ports/event-store.ts'
import { adminAcls, holdsAcl } from '../../../../domain/admin/acls.ts'
import { adminKeyOf, administrator, auditEntries, giveAcls } from '../../../support/administrators.ts'
import { natsIsMissing, natsSuite } from '../../../support/nats-server.ts'
import { sharedServers } from '../../../support/shared-servers.ts'
import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../../../support/test-guildhall.ts'

/** Two processes on one database, connected as several are. */
let one: TestGuildhall
let two: TestGuildhall
let root: TestAccount
const closings: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  if (natsIsMissing !== undefined) return
  const shared = await sharedServers(closings)
  one = await startTestGuildhall(shared)
  closings.push(() => one.close())
  two = await startTestGuildhall({ ...shared, roles: ['api'] })
  closings.push(() => two.close())
  root = await administrator(one, '*')
})
afterAll(async () => {
  for (const close of closings.toReversed()) await close()
})

const setAcls = (at: TestGuildhall, token: string, id: string, acls: readonly string[]) =>
  at.request('PUT', `/v1/admin/users/${id}/acls`, { token, body: { acls } })

/** All events about who holds which ACLs, oldest first. */
async function aclHistory(): Promise<readonly RecordedEvent[]> {
  const found: RecordedEvent[] = []
  for await (const page of one.store.events.readAll(-1n))
    found.push(...page.filter(({ type }) => ['AclsSet', 'AdminKeyCreated', 'AdminKeyChanged'].includes(type)))
  return found
}

/** Fails if somebody granted, in the order of history, what they did not hold then. */
function expectNobodyGaveMoreThanTheyHeld(history: readonly RecordedEvent[]): void {
  const held = new Map<string, readonly string[]>()
  for (const { data, metadata } of history) {
    const { accountId, acls = Object(data).changes?.acls } = Object(data) as {
      accountId: string
      acls?: readonly string[]
    }
    if (!acls) continue
    const { actor } = metadata
    const by = actor.kind === 'account' ? (held.get(actor.id) ?? []) : adminAcls
    expect(acls.filter((acl: string) => !holdsAcl(by, acl))).toEqual([])
    if (!('keyId' in data)) held.set(accountId, acls)
  }
}

describe.skipIf(natsIsMissing)(natsSuite('races of grants, over two processes'), () => {
  it('never let a grantor give what an earlier grant has taken from them', async () => {
    const statuses: number[] = []
    for (let round = 0; round < 12; round += 1) {
      const grantor = await administrator(one, 'admin:authenticate', 'acl:set:user', 'user:delete')
      const target = await one.register()
      const answers = await Promise.all([
        setAcls(one, root.token, grantor.id, ['admin:authenticate', 'acl:set:user']),
        setAcls(two, grantor.token, target.id, ['user:delete']),
        setAcls(one, grantor.token, target.id, ['user:delete']),
      ])
      statuses.push(...answers.map(({ status }) => status))
    }
    expect(new Set(statuses)).toEqual(new Set([200, 403]))
    expectNobodyGaveMoreThanTheyHeld(await aclHistory())
  })
  it('never let two administrators raise each other beyond what either holds', async () => {
    const bound = ['admin:authenticate', 'acl:set:user', 'user:lookup'] as const
    const [ada, bob] = [await administrator(one, ...bound), await administrator(one, ...bound)]
    const wishes = [['user:delete', ...bound], ['*'], [...bound], ['admin:authenticate', 'acl:set:user']]
    await Promise.all(
      wishes.flatMap((acls) => [setAcls(one, ada.token, bob.id, acls), setAcls(two, bob.token, ada.id, acls)]),
    )
    expectNobodyGaveMoreThanTheyHeld(await aclHistory())
    for (const { id } of [ada, bob]) {
      const state = (await one.ports.aggregates.account.load(id)).state
      const acls = state.status === 'registered' ? state.acls : []
      expect(acls.filter((acl) => !(bound as readonly string[]).includes(acl))).toEqual([])
    }
  })
  it('never let a key be created or widened with what its owner has lost', async () => {
    for (let round = 0; round < 6; round += 1) {
      const owner = await administrator(one, 'admin:authenticate', 'admin_api_key:manage', 'user:delete')
      const key = await adminKeyOf(one, owner, 'admin_api_key:manage')
      const id = key.split('_')[1]
      await Promise.all([
        setAcls(two, root.token, owner.id, ['admin:authenticate', 'admin_api_key:manage']),
        one.request('POST', '/v1/admin/api-keys', { token: owner.token, body: { name: 'K', acls: ['user:delete'] } }),
        two.request('PATCH', `/v1/admin/api-keys/${id}`, { token: owner.token, body: { acls: ['user:delete'] } }),
      ])
      await giveAcls(one, owner, [])
    }
    expectNobodyGaveMoreThanTheyHeld(await aclHistory())
  })
})

describe.skipIf(natsIsMissing)('the admin audit log of several processes', () => {
  it('is one chain, with an entry for each answered act', async () => {
    const before = (await auditEntries(one)).length
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? one : two).request('GET', '/v1/admin/acls', { token: root.token }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(await auditEntries(one)).toHaveLength(before + 40)
    let end: unknown = null
    for await (const page of one.store.events.readStream('admin_audit-self', -1))
      for (const { type, data } of page) {
        if (type !== 'AdminActionRecorded') continue
        expect(Object(data).previousHash).toBe(end)
        end = Object(data).hash
      }
  })
})
