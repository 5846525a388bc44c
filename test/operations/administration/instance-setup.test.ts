import { describe, expect, it } from 'vitest'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { administrator, adminKeyOf } from '../../support/administrators.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { expectRefusal } from '../support/answers.ts'
import { configPath, discovered, patchConfig, readConfig } from '../support/instance-config.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer({ policy: { setup: { configured: false } } })

describe('the initial setup', () => {
  const finish = { app_public: { setup: { configured: true } } }
  const aclsOf = async ({ id }: TestAccount) => {
    const { state } = await guildhall.ports.aggregates.account.load(accountId(snowflake(id)))
    return state.status === 'registered' ? state.acls : []
  }

  it('lets a plain session reach the configuration, and nothing else of the administration', async () => {
    const { token } = await guildhall.register()
    expect(await readConfig(guildhall, token)).toMatchObject({ app_public: { setup: { configured: false } } })
    expect(await discovered(guildhall)).toMatchObject({ app_public: { setup: { configured: false } } })
    expect((await patchConfig(guildhall, token)({ app_public: { branding: { product_name: 'Hall' } } })).status).toBe(
      200,
    )
    expectRefusal(await guildhall.request('GET', '/v1/admin/limit-config', { token }), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await guildhall.request('GET', configPath), 401, 'UNAUTHORIZED')
    const narrow = await administrator(guildhall, 'admin:authenticate', 'admin_api_key:manage')
    const key = await adminKeyOf(guildhall, narrow)
    expectRefusal(await guildhall.request('GET', configPath, { headers: { authorization: key } }), 403, 'MISSING_ACL')
  })

  it('gives `*` to the session that completes it, and to no other of several that try at once', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => guildhall.register()))
    const answers = await Promise.all(people.map(({ token }) => patchConfig(guildhall, token)(finish)))
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other)
    expect(statuses).toEqual([200, 403, 403, 403, 403])
    const acls = await Promise.all(people.map(aclsOf))
    expect(acls.filter((held) => held.length > 0)).toEqual([['*']])
    const winner = people[answers.findIndex(({ status }) => status === 200)]
    expect(winner && (await aclsOf(winner))).toEqual(['*'])
  })

  it('then ends: a plain session is refused as everywhere', async () => {
    const { token } = await guildhall.register()
    expectRefusal(await guildhall.request('GET', configPath, { token }), 403, 'MISSING_PERMISSIONS')
    expectRefusal(await patchConfig(guildhall, token)(finish), 403, 'MISSING_PERMISSIONS')
  })
})
