import { describe, expect, it } from 'vitest'
import { adminKeyOf, administrator } from '../../../support/administrators.ts'
import { bodyOf, expectRefusal } from '../../support/answers.ts'
import { newApplication } from '../../support/applications.ts'
import { openServer } from '../../support/scene.ts'
import { entriesAbout, userReadsOf } from './support.ts'

const guildhall = await openServer()
const root = await administrator(guildhall, '*')
const reads = userReadsOf(guildhall, root)
const instant = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/)

describe('List user applications', () => {
  it('gives every application of the account, oldest first, without its secrets', async () => {
    const ada = await guildhall.register()
    const redirects = ['https://engine.example.org/callback']
    const first = await newApplication(guildhall, ada, { name: 'Engine', redirect_uris: redirects })
    const second = await newApplication(guildhall, ada, { name: 'Loom' })
    const { username, discriminator } = bodyOf(await guildhall.request('GET', '/v1/users/@me', { token: ada.token }))
    const answer = await reads.below(ada, 'applications')
    expect(JSON.stringify(answer.body)).not.toContain(first.clientSecret)
    expect(JSON.stringify(answer.body)).not.toContain(first.botToken.split('.')[1])
    expect(bodyOf(answer)['applications']).toEqual([
      {
        id: first.id,
        name: 'Engine',
        owner_user_id: ada.id,
        owner_username: username,
        owner_global_name: null,
        owner_discriminator: discriminator,
        bot_user_id: first.id,
        bot_username: first.bot.username,
        bot_global_name: null,
        bot_discriminator: first.bot.discriminator,
        bot_is_public: expect.any(Boolean),
        bot_require_code_grant: expect.any(Boolean),
        oauth2_redirect_uris: redirects,
        has_client_secret: true,
        has_bot_token: true,
        bot_token_preview: null,
        bot_token_created_at: instant,
        client_secret_created_at: instant,
        version: 1,
      },
      expect.objectContaining({ id: second.id, name: 'Loom' }),
    ])
  })
  it('is empty for an account without applications, a bot too, and counts what it gave', async () => {
    const ada = await guildhall.register()
    const { id } = await newApplication(guildhall, ada)
    expect(bodyOf(await reads.below({ id }, 'applications'))).toEqual({ applications: [] })
    await reads.below(ada, 'applications')
    expect(await entriesAbout(guildhall, { id })).toMatchObject([
      { action: 'list_user_applications', targetType: 'user', metadata: { application_count: '0' } },
    ])
    expect(await entriesAbout(guildhall, ada)).toMatchObject([{ metadata: { application_count: '1' } }])
  })
  it('needs either of two ACLs, on the account and on its key', async () => {
    for (const acl of ['application:lookup', 'application:list:by_owner'] as const) {
      const either = await administrator(guildhall, 'admin:authenticate', acl)
      bodyOf(await userReadsOf(guildhall, either).below(root, 'applications'))
      const token = await adminKeyOf(guildhall, root, 'admin:authenticate', acl)
      bodyOf(await userReadsOf(guildhall, { token }).below(root, 'applications'))
    }
    const other = await administrator(guildhall, 'admin:authenticate', 'user:lookup')
    expectRefusal(await userReadsOf(guildhall, other).below(root, 'applications'), 403, 'MISSING_ACL')
  })
  it('refuses an unknown account, and records nothing', async () => {
    expectRefusal(await reads.below({ id: '3' }, 'applications'), 404, 'UNKNOWN_USER')
    expect(await entriesAbout(guildhall, { id: '3' })).toEqual([])
  })
})
