import { describe, expect, it } from 'vitest'
import {
  changeInstanceConfig,
  type InstanceConfigWishes,
} from '../../../../application/administration/instance/change-instance-config.ts'
import type { AccountId } from '../../../../domain/ids/ids.ts'
import { Died, world, type World } from '../../support/world.ts'

const enable = { changes: { community: { singleCommunity: true } }, communityName: null }
const being = { policy: { setup: { configured: false } } }

async function turnOn(on: World, admin: AccountId, wishes: InstanceConfigWishes = enable) {
  return changeInstanceConfig(on.ports)(await on.as(admin), wishes)
}
const founded = async (on: World) => (await on.events()).filter(({ type }) => type === 'GuildCreated')

describe('turning single community on', () => {
  it('founds the guild at the next try, if the process dies before the guild exists', async () => {
    const on = world(being)
    const ada = await on.newcomer()
    on.dieBefore('GuildCreated')
    await expect(turnOn(on, ada)).rejects.toThrow(Died)
    on.restart()
    const { policy } = await turnOn(on, ada)
    const [guild, ...others] = await founded(on)
    expect(others).toEqual([])
    expect(guild?.data).toMatchObject({ guildId: policy.single_community_guild_id, ownerId: ada, name: 'guildhall' })
  })

  it('names it after the product if no name is given', async () => {
    const on = world(being)
    const changes = { ...enable.changes, branding: { productName: 'Hall' } }
    await turnOn(on, await on.newcomer(), { changes, communityName: null })
    expect((await founded(on))[0]?.data).toMatchObject({ name: 'Hall' })
  })

  it('founds nothing if another part of the change is refused', async () => {
    const on = world(being)
    const ada = await on.newcomer()
    await on.ports.instancePolicies.fixAccountIdentity(on.requester().context)
    const changes = { ...enable.changes, accountIdentity: { signIn: 'username' } } as const
    await expect(turnOn(on, ada, { changes, communityName: null })).rejects.toThrow(
      'INSTANCE_POLICY_TRANSITION_NOT_ALLOWED',
    )
    expect(await founded(on)).toEqual([])
    expect((await on.ports.instancePolicies.current()).community.singleCommunity).toBe(false)
  })
})

describe('completing the setup', () => {
  const complete = { changes: { setup: { configured: true } }, communityName: null } as const
  const aclsOf = async (on: World, id: AccountId) => {
    const { state } = await on.ports.aggregates.account.load(id)
    return state.status === 'registered' ? state.acls : []
  }

  it('gives `*` to a session, also to one that holds the ACL', async () => {
    const on = world(being)
    const ada = await on.newcomer()
    const acls = ['admin:authenticate', 'instance:config:update'] as const
    await on.ports.aggregates.account.execute(ada, { type: 'SetAcls', acls }, on.requester().context)
    await changeInstanceConfig(on.ports)(await on.as(ada), complete)
    expect(await aclsOf(on, ada)).toContain('*')
  })

  it('gives nothing to a key', async () => {
    const on = world(being)
    const ada = await on.newcomer()
    const acls = ['admin:authenticate', 'instance:config:update'] as const
    await on.ports.aggregates.account.execute(ada, { type: 'SetAcls', acls }, on.requester().context)
    const caller = { ...(await on.as(ada)), credential: { kind: 'admin_key', keyId: '1', acls } } as const
    const config = await changeInstanceConfig(on.ports)(caller, complete)
    expect(config.app_public.setup.configured).toBe(true)
    expect(await aclsOf(on, ada)).toEqual(acls)
  })

  it('cannot begin again over the API', async () => {
    const on = world()
    const ada = await on.newcomer()
    const again = { changes: { setup: { configured: false } }, communityName: null }
    await expect(changeInstanceConfig(on.ports)(await on.as(ada), again)).rejects.toThrow(
      'INSTANCE_POLICY_TRANSITION_NOT_ALLOWED',
    )
  })
})
