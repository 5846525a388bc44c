import { describe, expect, it } from 'vitest'
import { administrator } from '../../../support/administrators.ts'
import { guildId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { testContext } from '../../../support/test-context.ts'
import { bodyOf, found } from '../../support/answers.ts'
import { configPath } from '../../support/instance-config.ts'
import { stillImage } from '../../support/pictures.ts'
import { openServer } from '../../support/scene.ts'
import { undoer } from './support.ts'

const guildhall = await openServer({})
const admin = await administrator(guildhall, '*')
const { does, newestEvent, undo, undoes } = undoer(guildhall, admin)

const config = async () => ({
  ...bodyOf(await does('GET', configPath)),
  stored: await guildhall.ports.instancePolicies.current(),
})
const limits = async () => bodyOf(await does('GET', '/v1/admin/limit-config'))
/** Changes the configuration; gives the id of the event. */
const patches = async (body: unknown): Promise<string> => {
  await does('PATCH', configPath, body)
  return newestEvent('instance-self')
}
const secret = async () => (await guildhall.ports.instancePolicies.current()).singleSignOn.clientSecret

describe('to undo a change of the instance', () => {
  it.each([
    [{ app_public: { branding: { product_name: 'The Engine', theme_color: '#1a2B3c' } } }],
    [
      {
        app_public: {
          legal: { terms_url: 'https://engine.example/terms' },
          registration: { collect_date_of_birth: true },
        },
      },
    ],
    [{ registration: { mode: 'approval', admin_registration_urls_enabled: true }, discovery: { min_member_count: 7 } }],
    [{ policy: { guild_create_access: false, premium_mode: 'everyone', services: { gif_enabled: true } } }],
    [{ integrations: { email: { disable_new_ip_authorization: false } } }],
    [{ sso: { display_name: 'Engine', allowed_domains: ['engine.example'], issuer: 'https://idp.example' } }],
    [{ policy: { direct_messages_disabled: true } }],
  ])('gives the values before it: %j', async (body) => {
    const before = await config()
    const event = await patches(body)
    const after = await config()
    expect(after).not.toEqual(before)
    expect((await undoes(event)).body).toEqual({
      undone_entry_id: null,
      operations: ['Update instance configuration'],
      replaced_until: null,
    })
    expect(await config()).toEqual(before)
    await undoes(await newestEvent('instance-self'))
    expect(await config()).toEqual(after)
    await undoes(await newestEvent('instance-self'))
    expect(await config()).toEqual(before)
  })

  it('gives back a secret, which is sealed in history', async () => {
    await patches({ sso: { client_secret: 'first' } })
    const event = await patches({ sso: { client_secret: 'second' } })
    await undoes(event)
    expect(await secret()).toBe('first')
    await patches({ sso: { client_secret: null } })
    await undoes(await newestEvent('instance-self'))
    expect(await secret()).toBe('first')
    await patches({ sso: { client_secret: null } })
  })

  it('turns private messages off again where turning them on had locked them', async () => {
    await patches({ policy: { direct_messages_disabled: true } })
    const before = await config()
    const event = await patches({ policy: { direct_messages_disabled: false } })
    expect(await config()).toMatchObject({ policy: { direct_messages_locked: true } })
    await undoes(event)
    expect(await config()).toEqual(before)
    await patches({ policy: { direct_messages_disabled: false } })
    const unlocked = await patches({ policy: { direct_messages_locked: false } })
    expect(await undo(unlocked)).toMatchObject({
      status: 409,
      body: { reason: 'no_opposite', why: expect.stringContaining('locked by being turned on') as string },
    })
  })

  it('leaves other members, and names the newest change of the same one', async () => {
    const event = await patches({ app_public: { branding: { product_name: 'One' } } })
    await patches({ app_public: { branding: { theme_color: '#000000' } } })
    const later = await patches({ app_public: { branding: { product_name: 'Two' } } })
    expect(await undo(event)).toMatchObject({
      status: 409,
      body: { reason: 'changed_since', changed_by: { stream: 'instance-self', event_id: later } },
    })
    await undoes(later)
    await undoes(event)
    expect(await config()).toMatchObject({
      app_public: { branding: { product_name: 'guildhall', theme_color: '#000000' } },
    })
  })

  it('foretells the opposite with dry_run', async () => {
    const event = await patches({ discovery: { min_member_count: 9 } })
    const before = await config()
    expect(await undo(event, '?dry_run=true')).toMatchObject({
      status: 200,
      body: { status: 200, events: [{ type: 'InstancePolicyChanged' }], audit_entries: [] },
    })
    expect(await config()).toEqual(before)
    await undoes(event)
  })

  it('takes back single community, and its guild stays named', async () => {
    const owner = await guildhall.register()
    const { id } = await found(guildhall, owner)
    await guildhall.ports.instancePolicies.change({ community: { guildId: guildId(snowflake(id)) } }, testContext())
    const before = await config()
    await undoes(await patches({ policy: { single_community_enabled: true } }))
    expect(await config()).toEqual(before)
  })

  it('removes an image again, and says that one which it replaced is deleted', async () => {
    const before = await config()
    const sets = async (image: string | null) => {
      await does('POST', `${configPath}/branding-assets`, { kind: 'icon', image })
      return newestEvent('instance-self')
    }
    const first = await sets(await stillImage())
    await undoes(first)
    expect(await config()).toEqual(before)
    await sets(await stillImage())
    const removed = await sets(null)
    expect(await undo(removed)).toMatchObject({
      status: 409,
      body: { reason: 'no_opposite', why: expect.stringContaining('is deleted') as string },
    })
  })

  it('gives the limit rules from before, or names the later ones', async () => {
    const rules = async (max_guilds: number) => {
      const limit_config = { traitDefinitions: ['beta'], rules: [{ id: 'mine', limits: { max_guilds } }] }
      await does('PUT', '/v1/admin/limit-config', { limit_config })
      return newestEvent('instance-self')
    }
    const before = await limits()
    const first = await rules(7)
    const after = await limits()
    const second = await rules(8)
    expect(await undo(first)).toMatchObject({
      status: 409,
      body: { reason: 'changed_since', changed_by: { event_id: second } },
    })
    await undoes(second)
    expect(await limits()).toEqual(after)
    expect((await undoes(first)).body).toMatchObject({ operations: ['Update limit configuration'] })
    expect(await limits()).toEqual(before)
  })

  it('revokes a registration URL that was made, and cannot make a revoked one count again', async () => {
    const made = bodyOf(await does('POST', '/v1/admin/instance/registration-urls', { label: 'For friends' }))
    const { id } = made['registration_url'] as { readonly id: string }
    const stream = `registration_url-${id}` as const
    await undoes(await newestEvent(stream))
    expect(await config()).toMatchObject({ registration: { urls: [{ id, revoked_at: expect.any(String) as string }] } })
    expect(await undo(await newestEvent(stream))).toMatchObject({
      status: 409,
      body: { reason: 'no_opposite', why: expect.stringContaining('make a new one') as string },
    })
  })

  it('is refused for an event that no rule knows, and for one that there is not', async () => {
    const unknown = '01890a5d-ac96-774b-bcce-b302099a8057'
    expect(await undo(unknown)).toMatchObject({ status: 404 })
    expect(await undo(await newestEvent(`account-${admin.id}`))).toMatchObject({
      status: 409,
      body: { reason: 'no_opposite' },
    })
  })
})
